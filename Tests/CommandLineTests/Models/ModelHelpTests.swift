import Testing

@Suite struct ModelHelpTests {
    @Test(arguments: [
        ["model", "versions"], ["model", "diff"], ["model", "graph"], ["model", "convert"], ["compile"],
        ["model", "create"],
        ["model", "options"], ["model", "add"], ["model", "set"], ["model", "rename"], ["model", "move"],
        ["model", "remove"],
        ["model", "edit"],
    ])
    func everyModelCommandHasHelpOfEightyColumns(command: [String]) throws {
        let outcome = try Tool.run(command + ["--help"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("Usage: coredata \(command.joined(separator: " "))"))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try Tool.run("--help").output.contains("\n  \(command.joined(separator: " ")) "))
    }
}
