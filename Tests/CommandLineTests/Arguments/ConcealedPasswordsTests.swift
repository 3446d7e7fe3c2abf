import Foundation
import TestBasics
import Testing

@testable import CoreDataPrinting
@testable import coredata

@Suite struct ConcealedPasswordsTests {
    @Test("a line shows nothing of a URL from its password on, whole or cut, and with its file's path before it")
    func lineShowsNothingOfURLFromItsPassword() {
        for (url, line, shown) in [
            ("postgresql://me:hush@h/d", "postgresql://me:hush@h/d: no entity", "postgresql://…: no entity"),
            ("postgresql://me:hush@h/d", "'postgresql://me:hush'", "'postgresql://…'"),
            ("postgresql://me:hu/sh@h", "/tmp/postgresql:/me:hu/sh@h", "/tmp/postgresql:/…"),
            ("postgresql:me:hush@h", "postgresql:me:hush@h", "postgresql:…"),
            ("mysql://:hush@h", "not 'mysql://:hush@h'", "not '…'"),
            ("postgresql://h/d?user=me&password=hush", "postgresql://h/d?user=me&password=hush", "postgresql://…"),
            ("--x=k=postgres://me:hush@h", "no postgres://me:hush@h", "no postgres://…"),
            ("mysql://me:h\u{202E}ush@h", "mysql://me:h\\u202Eush@h", "mysql://…"),
            (" postgresql://me:hush@h/d", "/tmp/ postgresql://me:hush@h/d", "/tmp/ postgresql://…"),
            ("'postgresql://me:hush@h'", "/tmp/'postgresql://me:hush@h': no", "/tmp/'postgresql://…: no"),
            ("<postgresql://me:hush@h>", "no <postgresql://me:hush@h>", "no <postgresql://…"),
            ("psql postgres://me:hush@h", "no psql postgres://me:hush@h", "no psql postgres://…"),
            ("postgresql：//me:hush@h", "no postgresql：//me:hush@h", "no postgresql：//…"),
            ("postgres ://me:hush@h", "no postgres ://me:hush@h", "no postgres ://…"),
        ] {
            #expect(ConcealedPasswords(["fetch", url]).conceal(in: line) == shown)
        }
    }

    @Test(
        "what has no password is shown, and so is a URL without its own",
        arguments: [
            ("postgresql://me:hush@h/d", "postgresql://me@h/d: no store; at this time: none"),
            ("postgresql://me@h/d", "postgresql://me@h/d: no store"), ("postgresql://h:1/d", "postgresql://h:1/d"),
            ("postgresql://h/d?schema=s&password=hush", "postgresql://h/d?schema=s: no store"),
            ("/tmp/a:b@c", "/tmp/a:b@c"),
        ])
    func plainWords(_ word: String, _ line: String) {
        #expect(ConcealedPasswords([word]).conceal(in: line) == line)
    }

    @Test("a URL with something before it is not a path, and a path with a colon is")
    func whatPrecedesURL() {
        for word in [" postgres://h", "\"postgres://h\"", "psql postgres://h", "postgres ://h", "postgres：//h"] {
            #expect(ConcealedPasswords.isLikeURL(word), "\(word)")
            #expect(throws: PlaceWord.Refusal.self) { try PlaceWord.read(word, .store) }
        }
        for word in ["./ postgres://h", "/a postgres://h", "notes: a.sqlite", "a:b", "dir/postgres:a", "my-postgres:a"]
        {
            #expect(!ConcealedPasswords.isLikeURL(word), "\(word)")
        }
    }

    /// URLs with a password that may be given in place of another word.
    private static let slips = [
        "postgresql://me:hu/hush@h/d", "postgress://me:hush@h", "postgresql://me:a#hush?c@127.0.0.1:1/d",
        "postgresql:/me:hush@h", "mysql://me:hush@h/d", "postgresql://me:hush@127.0.0.1:1/d?connect_timeout=1",
        "postgresql://127.0.0.1:1/d?connect_timeout=1&password=hush", " postgresql://me:hush@h/d",
        "'postgresql://me:hush@h/d'", "psql postgresql://me:hush@h/d", "postgresql ://me:hush@h/d",
    ]

    /// Words that a command takes, one for each operand.
    private static func operands(of syntax: CommandSyntax, _ library: Library) -> [String] {
        let known = [
            "STORE": library.store.path, "A": library.store.path, "B": library.store.path, "ENTITY": "Book",
            "OBJECT-URI": "Book/p1", "OBJECT-URI|ENTITY": "Book", "MODEL": library.package.path,
            "MODEL|STORE": library.package.path, "OLD": library.package.path, "PACKAGE": library.package.path,
        ]
        return syntax.operands.map { known[$0.name] ?? library.folder.appendingPathComponent("none").path }
    }

    /// Every line of words for a command in which a URL stands somewhere, with `URL` for it.
    private static func lines(of syntax: CommandSyntax, _ words: [String]) -> [[String]] {
        // One word more than the command takes, too.
        let places = (0...words.count).map { Array(words.prefix($0)) + ["URL"] + words.dropFirst($0 + 1) }
        let values = syntax.options.filter { $0.value != nil }.flatMap { option in
            [words + ["--\(option.name)", "URL"], words + ["--\(option.name)=URL"]]
        }
        return places + values + [words + ["--no-such=URL"]]
    }

    @Test("no command prints the password of a URL, in whatever place of its words the URL stands (TOOL-16)")
    func everyCommand() throws {
        var count = 0
        for syntax in CommandList.syntaxes {
            let library = try Library()
            defer { library.remove() }
            for line in TestSeed.sample(Self.lines(of: syntax, Self.operands(of: syntax, library)), step: 3) {
                let words = line.map { $0.replacing("URL", with: Self.slips[count % Self.slips.count]) }
                count += 1
                // A page is printed rather than served.
                let isServing = syntax.name == ["browse"] && !words.contains { $0.hasPrefix("--print") }
                let outcome = try Tool.run(
                    syntax.name + (isServing ? ["--print", "/"] : []) + words,
                    environment: ["XDG_STATE_HOME": library.folder.path, "HOME": library.folder.path])
                let text = outcome.output + outcome.errors
                #expect(!outcome.wasKilled && !text.contains("hush"), "\(syntax.name) \(words): \(text)")
            }
        }
        #expect(count > 100)
    }
}
