import Testing

@testable import coredata

@Suite struct ArgumentsTests {
    private let syntax = CommandSyntax(
        name: ["fetch"], summary: "",
        operands: [
            CommandOperand(name: "STORE", help: ""), CommandOperand(name: "KEY=VALUE", help: "", isRepeated: true),
        ],
        options: [
            Option("where", value: "FORMAT", help: ""),
            Option("format", value: "F", help: "", choices: ["json", "csv"]), Option("all", help: ""),
        ])

    @Test func optionsStandAnywhereAndTakeAnyWord() throws {
        let arguments = try Arguments(["a", "--where", "-1 < x", "b", "--format=csv", "--", "--c"], syntax: syntax)
        #expect(arguments.operands == ["a", "b", "--c"])
        #expect(arguments["where"] == "-1 < x")
        #expect(arguments["format"] == "csv")
    }

    @Test func optionWithoutAValueTakesNoWord() throws {
        let arguments = try Arguments(["a", "--all", "b"], syntax: syntax)
        #expect(arguments.operands == ["a", "b"])
        #expect(arguments.has("all"))
        #expect(!arguments.has("where"))
    }

    @Test func operandThatIsOptionalMayBeLeftOutAndStillRepeat() throws {
        let optional = CommandSyntax(
            name: ["x"], summary: "",
            operands: [
                CommandOperand(name: "A", help: ""),
                CommandOperand(name: "B", help: "", isRepeated: true, isOptional: true),
            ],
            options: [])
        for words in [["a"], ["a", "b"], ["a", "b", "c"]] {
            #expect(try Arguments(words, syntax: optional).operands == words)
        }
        #expect(throws: UsageError.self) { try Arguments([], syntax: optional) }
    }

    @Test func valueAfterEqualsSignMayHoldEqualsSigns() throws {
        #expect(try Arguments(["a", "b", "--where=x = 'y=z'"], syntax: syntax)["where"] == "x = 'y=z'")
    }

    @Test(arguments: [
        (["a"], "KEY=VALUE is missing"), ([], "STORE is missing"),
        (["a", "b", "--where"], "--where needs a value: --where FORMAT"),
        (["a", "b", "--wher", "x"], "there is no option '--wher' (did you mean '--where'?)"),
        (["a", "b", "-x"], "there is no option '-x'"),
        (["a", "b", "--format", "xml"], "--format takes json, csv, not 'xml'"),
        (["a", "b", "--where", "x", "--where", "y"], "--where is given twice"),
        (["a", "b", "--all", "--all"], "--all is given twice"), (["a", "b", "--all=1"], "--all takes no value"),
    ])
    func wrongWordsAreRefused(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Arguments(words, syntax: syntax) }
        #expect(error?.description == message)
    }

    @Test("a place is a path, a file's URL, or a server's, in whose password libpq's characters stand")
    func placesAreReadAsURLs() throws {
        let words = [
            "postgresql://me:a#b?c@h/db": "postgresql://me:a%23b%3Fc@h/db", "POSTGRES://h/db": "postgres://h/db",
            "file:///tmp/a%20b": "/tmp/a b", "./a:/b": "./a:/b", "a:b": "a:b",
        ]
        for (word, place) in words {
            #expect(try Arguments([word, "k=v"], syntax: syntax).operands == [place, "k=v"])
        }
        #expect(try Arguments(["a", "k=postgresql:/x"], syntax: syntax).operands[1] == "k=postgresql:/x")
    }

    private static let slips = [
        "postgresql://me:hu/sh@h/hush", "postgresql:/me:hush@h/hush", "postgresql:me:hush@h", "postgress://me:hush@h",
        "postgresql;//me:hush@h", "PostgreSQL//me:hush@h", "mysql://me:hush@h/d", "file://hush/x", "https://u:hush@h",
    ]

    @Test("every command refuses a word that only begins like a URL, and does not repeat it", arguments: slips)
    func slipsAreNotRepeated(_ word: String) {
        for syntax in CommandList.syntaxes {
            let places = syntax.operands.map { PlaceWord.kind(of: $0.name) != nil }
            // Where a URL of the web is meant, one is no slip.
            let takesURLs = syntax.operands.map { $0.name.contains("URL") && word.hasPrefix("http") }
            for position in syntax.operands.indices where places[position] && !takesURLs[position] {
                var words = syntax.operands.indices.map { "word\($0)" }
                words[position] = word
                let error = #expect(throws: UsageError.self, "\(syntax.name)") { try Arguments(words, syntax: syntax) }
                #expect(error?.description.contains("begins like a URL") == true)
                #expect(error?.description.contains("hush") == false)
            }
            let rest = syntax.operands.map { _ in "word" }
            for option in syntax.options where PlaceWord.kind(of: option.value ?? "") != nil {
                let error = #expect(throws: UsageError.self) {
                    try Arguments(rest + ["--\(option.name)", word], syntax: syntax)
                }
                #expect(error?.description.contains("hush") == false)
            }
            let error = #expect(throws: (any Error).self) {
                try Arguments(rest + [word, "--no-such=\(word)"], syntax: syntax)
            }
            #expect(error.map { !"\($0)".contains("hush") } == true)
        }
    }
}
