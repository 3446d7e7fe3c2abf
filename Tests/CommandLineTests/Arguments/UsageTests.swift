import CoreData
import Testing

@Suite struct UsageTests {
    @Test(arguments: [
        ["inspect"], ["fetch"], ["get"], ["insert"], ["set"], ["delete"], ["model", "show"], ["model", "hash"],
    ])
    func everyCommandHasHelp(command: [String]) throws {
        let outcome = try Tool.run(command + ["--help"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("Usage: coredata \(command.joined(separator: " "))"))
        #expect(outcome.errors == "")
        #expect(try Tool.run(["help"] + command).output == outcome.output)
    }

    @Test func overviewNamesAllCommands() throws {
        let outcome = try Tool.run("--help")
        #expect(outcome.code == 0)
        for command in ["inspect", "fetch", "get", "insert", "set", "delete", "model show", "model hash"] {
            #expect(outcome.output.contains("\n  \(command) "))
        }
    }

    @Test(arguments: [
        ([], "a command is missing"), (["inspct"], "did you mean 'inspect'?"), (["model"], "model show, model hash"),
        (["model", "shw"], "did you mean 'model show'?"), (["inspect"], "STORE is missing"),
        (["fetch", "x", "y", "--limit", "-3"], "--limit takes a whole number of at least 0, not '-3'"),
        (["inspect", "x", "y"], "'y' is one word too many"),
    ])
    func wrongCommandLineExitsWithTwo(words: [String], message: String) throws {
        let outcome = try Tool.run(words)
        #expect(outcome.code == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errorLines.last?.hasPrefix("Try 'coredata") == true)
    }
}
