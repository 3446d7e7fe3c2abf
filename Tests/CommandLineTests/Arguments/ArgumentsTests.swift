import Testing

@testable import coredata

@Suite struct ArgumentsTests {
    private let syntax = CommandSyntax(
        name: ["fetch"], summary: "",
        operands: [Operand(name: "STORE", help: ""), Operand(name: "KEY=VALUE", help: "", isRepeated: true)],
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
            operands: [Operand(name: "A", help: ""), Operand(name: "B", help: "", isRepeated: true, isOptional: true)],
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
}
