// What a simple command does beyond its own words: programs that run other programs, change what later words mean, or
// take a program as text. Knows only names and options; whoever allows a program by a rule vouches for the rest.

/** Builtins after which the words that follow, or come later, mean something else. */
const changers = new Set(
  "alias unalias eval source . exec trap set shopt export declare typeset local readonly unset hash enable bind complete builtin compopt mapfile readarray read getopts let fc history cd pushd popd umask ulimit wait jobs fg bg disown suspend caller".split(
    " ",
  ),
);

/** Programs that run the program named by their arguments. */
const wrappers = new Set(
  "sudo doas su env command nohup nice ionice timeout time stdbuf setsid xargs parallel watch strace ltrace gdb chroot unshare nsenter script flock ssh docker podman kubectl systemd-run busybox toybox chrt taskset runuser pkexec at batch crontab expect entr rlwrap fakeroot proot firejail bwrap dbus-run-session ld.so start-stop-daemon npx bunx pnpx uvx".split(
    " ",
  ),
);

/** Programs whose argument or input is a program of their own. */
const interpreters = new Set(
  "sh bash dash zsh ksh mksh ash fish csh tcsh rbash pwsh awk gawk mawk nawk sed ed ex vi vim nvim view emacs nano less more man pg tclsh wish lua luajit gnuplot bc dc m4 osascript sqlite3 psql mysql ftp telnet nc ncat socat".split(
    " ",
  ),
);

/** Interpreters that also run files: unclear only where they are given no file, or code as an option. */
const fileInterpreters =
  /^(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|tsx|ts-node|java|jshell|ghci|julia|Rscript)[\d.]*$/;
const codeOptions =
  /^(?:-[a-zA-Z]*[ceEprRXm]|--?(?:eval|exec|print|command|require|import|loader|run|module)(?:=.*)?|-|eval|repl|x)$/;

/** Options by which a program that otherwise does its own work runs another, deletes, or works elsewhere. */
const reaching: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  fd: /^(?:-x|-X|--exec|--exec-batch)/,
  git: /^(?:-c|-C|-O.*|-x|-p|-u|--exec(?:-path)?(?:=.*)?|--config-env.*|--git-dir.*|--work-tree.*|--upload-pack.*|--receive-pack.*|--ext-diff|--textconv|--open-files-in-pager.*|--output.*|config|bisect|submodule|filter-branch|difftool|mergetool|hook|credential|daemon|shell|instaweb|worktree|alias|!.*)$/,
  tar: /^(?:--to-command.*|--checkpoint-action.*|-I.*|--use-compress-program.*|-F.*|--info-script.*|--new-volume-script.*|--rsh-command.*|-C|--directory.*|-P|--absolute-names)$/,
  rsync: /^(?:-e.*|--rsh.*|--rsync-path.*)$/,
  sort: /^(?:-o.*|--output.*|--compress-program.*|-T.*)$/,
  rg: /^(?:--pre.*|--hostname-bin.*|--search-zip)$/,
  zip: /^(?:-T.*|--unzip-command.*)$/,
  make: /^(?:-C|--directory.*|-f|--file.*|--eval.*|.*=.*)$/,
  npm: /^(?:exec|x|--prefix.*|-C|--script-shell.*)$/,
  curl: /^(?:-o.*|-O|--output.*|-K.*|--config.*|-T.*|--upload-file.*|-d@.*)$/,
  wget: /^(?:-O.*|--output.*|-P.*|--post-file.*|--use-askpass.*|-e.*|--execute.*)$/,
  dd: /^of=.*$/,
  split: /^--filter.*$/,
  tee: /^[^-]/,
};

export interface ProgramJudgement {
  /** Why the words do not say all that would happen. */
  readonly unclear?: string;
  /** Commands that may be run besides, as words; what refuses them refuses the whole. */
  readonly inner: readonly (readonly string[])[];
  /** Text that is itself a shell command. */
  readonly script?: string;
}

/** Judges the words of one simple command. */
export function judgeProgram(words: readonly string[]): ProgramJudgement {
  const [called = "", ...rest] = words;
  const program = called.replace(/^.*\//, "");
  const name = program.toLowerCase();
  if (!/^[\w./+@:%,=-]+$/.test(called))
    return { unclear: `the program's name ${JSON.stringify(called)}`, inner: [] };
  const script = scriptOf(name, rest);
  if (changers.has(name) || (name === "printf" && rest.includes("-v"))) {
    return { unclear: `"${program}" changes what follows`, inner: suffixes(rest), ...script };
  }
  if (wrappers.has(name))
    return { unclear: `"${program}" runs another program`, inner: suffixes(rest), ...script };
  if (interpreters.has(name) || isCode(program, rest)) {
    return { unclear: `"${program}" runs a program given as text`, inner: [], ...script };
  }
  const option = rest.find((word) => reaching[name]?.test(word));
  if (option === undefined) return { inner: [] };
  return { unclear: `"${program}" with ${option}`, inner: suffixes(rest) };
}

/** Programs that look at names only, and at no file's text. */
const nameReaders = new Set(
  "ls mkdir rmdir touch stat echo printf test pwd basename dirname which true false sleep date".split(" "),
);
/** Programs that read the folder they are in where they are given none. */
const folderReaders = new Set("fd find tree du tar zip cp rsync".split(" "));

/** The words of a command that may be folders whose files it reads. */
export function treesOf(words: readonly string[]): readonly string[] {
  const [called = "", ...rest] = words;
  const name = called.replace(/^.*\//, "").toLowerCase();
  const isDeep = rest.some((word) => /^-[A-Za-z]*[rR]|^--recursive/.test(word));
  if (nameReaders.has(name) && !isDeep) return [];
  const operands = rest.filter((word) => !word.startsWith("-"));
  const isSearch = /^(?:rg|ag|ack|[ef]?grep)$/.test(name);
  const isGit = name === "git" && (rest[0] === "grep" || rest[0] === "archive");
  const takesFolder = isSearch ? operands.length < 2 : name === "git" ? isGit : folderReaders.has(name);
  return [...operands, ...(isDeep || takesFolder ? ["."] : [])];
}

function isCode(program: string, rest: readonly string[]): boolean {
  if (!fileInterpreters.test(program)) return false;
  const [first] = rest;
  return first === undefined || rest.some((word) => codeOptions.test(word));
}

/** What `sh -c` or `eval` is given. */
function scriptOf(name: string, rest: readonly string[]): { script?: string } {
  if (name === "eval") return { script: rest.join(" ") };
  const at = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  const text = rest[at + 1];
  return at >= 0 && text !== undefined ? { script: text } : {};
}

/** Every place at which the command that is run may begin. */
function suffixes(words: readonly string[]): readonly (readonly string[])[] {
  return words.flatMap((word, at) => (word.startsWith("-") ? [] : [words.slice(at)]));
}
