// Twelve tasks in a small workspace, each of 2–5 calls, judged by how the workspace is left and nothing else.

export interface WorkspaceTask {
  readonly id: string;
  readonly prompt: string;
  readonly files: Readonly<Record<string, string>>;
  /** Files as they have to be in the end, without regard to blanks at their end; all others as they were. */
  readonly after: Readonly<Record<string, string>>;
}

const log = [
  "08:01 INFO service started",
  "08:02 ERROR database does not answer",
  "08:03 INFO trying again",
  "08:04 ERROR database does not answer",
  "08:05 INFO connected",
].join("\n");

export const workspaceTasks: readonly WorkspaceTask[] = [
  {
    id: "port",
    prompt: "Read the file server.json, then change the port to 9090 in it.",
    files: {
      "server.json": '{\n  "host": "localhost",\n  "port": 8080\n}\n',
      "notes.txt": "Nothing here.\n",
    },
    after: { "server.json": '{\n  "host": "localhost",\n  "port": 9090\n}\n' },
  },
  {
    id: "version",
    prompt: "Read README.md. It names version 1.2.0. Change that to 1.3.0.",
    files: { "README.md": "# Lamp\n\nThis is version 1.2.0 of Lamp.\n" },
    after: { "README.md": "# Lamp\n\nThis is version 1.3.0 of Lamp.\n" },
  },
  {
    id: "typo",
    prompt: "Find out which file holds the word recieve, read it, and replace recieve by receive in it.",
    files: { "mail.txt": "You will recieve a letter.\n", "list.txt": "bread\nmilk\n" },
    after: { "mail.txt": "You will receive a letter.\n" },
  },
  {
    id: "errors",
    prompt:
      "Read the file app.log and count the lines that contain ERROR. Write the number, and nothing else, into errors.txt.",
    files: { "app.log": `${log}\n` },
    after: { "errors.txt": "2" },
  },
  {
    id: "copy",
    prompt: "Read draft.txt and write the same text into final.txt.",
    files: { "draft.txt": "The meeting is on Monday at ten.\n" },
    after: { "final.txt": "The meeting is on Monday at ten." },
  },
  {
    id: "sum",
    prompt:
      "Read prices.txt, use the calculator to compute the sum of the prices, and write the sum, and nothing else, into total.txt.",
    files: { "prices.txt": "tea 4\nbread 3\nhoney 9\n" },
    after: { "total.txt": "16" },
  },
  {
    id: "where",
    prompt:
      "Search for the word lighthouse in the files. Write the name of the file that contains it, and nothing else, into answer.txt.",
    files: { "a.txt": "The harbour is quiet.\n", "b.txt": "The lighthouse is red.\n", "c.txt": "Boats.\n" },
    after: { "answer.txt": "b.txt" },
  },
  {
    id: "rename",
    prompt: "In the files a.py and b.py, rename total to subtotal. Read each file before you edit it.",
    files: { "a.py": "total = 5\n", "b.py": "from a import total\n" },
    after: { "a.py": "subtotal = 5\n", "b.py": "from a import subtotal\n" },
  },
  {
    id: "flag",
    prompt: "Read settings.ini and set debug to true in it.",
    files: { "settings.ini": "[app]\nname = lamp\ndebug = false\n" },
    after: { "settings.ini": "[app]\nname = lamp\ndebug = true\n" },
  },
  {
    id: "name",
    prompt: "Read people.txt. Replace the name Alice by Clara in that file.",
    files: { "people.txt": "captain: Alice\ncook: Ben\n" },
    after: { "people.txt": "captain: Clara\ncook: Ben\n" },
  },
  {
    id: "list",
    prompt:
      "List the files in the folder inbox. Write the name of the only file in it, and nothing else, into found.txt.",
    files: { "inbox/letter.txt": "Dear friend.\n", "other.txt": "No.\n" },
    after: { "found.txt": "letter.txt" },
  },
  {
    id: "product",
    prompt:
      "Read order.txt, multiply the quantity by the price with the calculator, and write the result, and nothing else, into invoice.txt.",
    files: { "order.txt": "quantity 12\nprice 7\n" },
    after: { "invoice.txt": "84" },
  },
];
