import Testing

@testable import coredata

@Suite struct ArgumentsTests {
    private let syntax = CommandSyntax(
        name: ["fetch"], summary: "",
        operands: [Operand(name: "STORE", help: ""), Operand(name: "KEY=VALUE", help: "", isRepeated: true)],
        options: [
            Option("where", value: "FORMAT", help: ""),
            Option("format", value: "F", help: "", choices: ["json", "csv"]),
        ])

    @Test func optionsStandAnywhereAndTakeAnyWord() throws {
        let arguments = try Arguments(["a", "--where", "-1 < x", "b", "--format=csv", "--", "--c"], syntax: syntax)
        #expect(arguments.operands == ["a", "b", "--c"])
        #expect(arguments["where"] == "-1 < x")
        #expect(arguments["format"] == "csv")
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
    ])
    func wrongWordsAreRefused(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Arguments(words, syntax: syntax) }
        #expect(error?.description == message)
    }
}
