// Words that people and authors of tools use for the same thing, and what the values in a request look like.
// A table of English, small on purpose: it only has to bring a tool among the offered ones, which the model chooses from.

/** Each line holds words of which one in a request makes the others likely in the wanted tool. */
const groups: readonly (readonly string[])[] = `
delete remove erase discard drop trash
cancel abort revoke withdraw undo
search find look lookup locate query seek google
show display view see print open read list
list all browse enumerate which
create new make add insert register open
save store keep record log note
change edit update modify set adjust replace overwrite
send mail email message write reply
mailbox inbox email mail message letter
call ring phone dial telephone
sms text message
chat channel post team slack announce
contact person address friend number phone
taxi cab ride lift car driver pickup
cart basket bag
buy purchase order shop
product item article goods shop store sell price
reserve book booking reservation
meeting appointment event calendar schedule agenda invite
free available availability slot
alarm wake clock ring morning
timer countdown stopwatch minutes
remind reminder task todo list due
weather forecast rain snow sun sunny wind windy storm temperature cold warm hot umbrella
air pollution pollen smog quality
light lamp bulb dim brightness bright dark
heat heating heater thermostat temperature warm cold degrees
music song album artist playlist play tune band shuffle
volume loud louder quiet mute sound speaker
lock unlock door gate shut
pay payment settle bill invoice
money euro euros dollar dollars pound pounds yen franc francs currency amount price
transfer wire remit send
bank account transaction payment deposit spend spent spending balance
stock share shares ticker trading quote
flight flights fly plane airline airport
hotel hostel room stay accommodation sleep night
restaurant eat dinner lunch food table place
route directions navigate navigation way drive walk
near nearby close around closest nearest
parcel package delivery shipment shipped courier track tracking arrive
language translate translation english french german spanish italian portuguese dutch polish russian turkish arabic hindi chinese japanese korean
summary summarise summarize gist overview short
calculate compute calculation arithmetic math expression add multiply divide subtract plus minus times percent power root
convert conversion exchange rate into
unit units metre metres meter meters kilometre kilometres km mile miles foot feet inch inches pound pounds kilogram kilograms kg gram grams ounce litre litres gallon celsius fahrenheit
file document text content contents
directory folder files
move rename relocate put
run execute start launch command terminal shell console
test tests suite spec pass coverage
commit commits history repository git
branch fork checkout
pull pr review reviewer merge
issue bug ticket defect problem report feature
database sql table rows query record customers
restart reboot bounce reload
log logs error errors crash crashed
service server app backend
scale replicas replica instances pods deployment
metric metrics cpu memory latency load usage disk monitor
web internet online site website page pages url
download fetch get
workout exercise fitness training gym sport ran run running swim swimming cycling yoga
image picture photo
user account profile login
`
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

const related: ReadonlyMap<string, ReadonlySet<string>> = relate(groups);

/** The words that mean about the same as a lower-case word, without itself. */
export function relatedWords(word: string): readonly string[] {
  return [...(related.get(word) ?? [])];
}

/** Turns of phrase whose single words mean something else. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bcall(?:ed)? off\b/i, "cancel"],
  [/\bget rid of\b/i, "delete"],
  [/\bwake (?:me|us) up\b/i, "alarm"],
  [/\bsum(?:s|med)? up\b/i, "summary"],
  [/\bset up\b/i, "create"],
  [/\bwr(?:ite|ote) (?:it |that )?down\b/i, "record"],
  [/\blook(?:ed)? up\b/i, "search"],
  [/\bsign(?:ed)? up\b/i, "register"],
  [/\bturn (?:it |them )?(?:on|off)\b/i, "switch"],
];

/** Kinds of values and the words that a tool which takes them is likely to have. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\bhttps?:\/\/\S+|\bwww\.\S+/i, "url web page"],
  [/[\w.+-]+@[\w-]+\.\w+/, "email address"],
  [/(?:^|\s)[\w~./-]*\w\.(?=[a-z])[a-z0-9]{1,5}\b(?!\/)/, "file path"],
  [/(?:^|\s)[\w.~-]*\/[\w.~-]+/, "path directory file"],
  [/[€$£¥]\s?\d|\d\s?(?:€|\$|£|eur|usd|gbp|euros?|dollars?)\b/i, "money price amount"],
  [/\d\s*(?:[*^+]|-\s*\d|\/\s*\d|%)/, "calculate arithmetic expression percent"],
  [/\+\d[\d ]{6,}/, "phone number"],
  [/\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b/i, "time"],
  [/\b[A-Z]{2}\d{2}[ A-Z0-9]{10,}/, "account iban"],
  [/\bSELECT\b.*\bFROM\b/i, "sql database"],
  [/`[^`]+`/, "command"],
];

/** Words that stand for the turns of phrase and for the kinds of values in a request. */
export function impliedWords(request: string): readonly string[] {
  const found = [...phrases, ...shapes].filter(([pattern]) => pattern.test(request));
  return found.flatMap(([, words]) => words.split(" "));
}

function relate(lines: typeof groups): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const line of lines) {
    for (const word of line) {
      const known = all.get(word) ?? new Set();
      for (const other of line) if (other !== word) known.add(other);
      all.set(word, known);
    }
  }
  return all;
}
