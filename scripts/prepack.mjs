// npm runs this before it packs: a clone holds no dist, and a package without one would be of no use to anybody.
import { prepare } from "./prepare.mjs";

prepare();
