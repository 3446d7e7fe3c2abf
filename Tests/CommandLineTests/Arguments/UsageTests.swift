import CoreData
import Testing

@testable import coredata

@Suite struct UsageTests {
    @Test(arguments: CommandList.all.map(\.name))
    func everyCommandHasHelp(command: [String]) throws {
        let outcome = try Tool.run(command + ["--help"])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("Usage: coredata \(command.joined(separator: " "))"))
        #expect(outcome.errors == "")
        #expect(try Tool.run(["help"] + command).output == outcome.output)
    }

    @Test func versionIsOneLine() throws {
        let outcome = try Tool.run("--version")
        #expect(outcome.code == 0 && outcome.errors == "")
        #expect(outcome.output.wholeMatch(of: /coredata \d+\.\d+\.\d+(-[a-z]+)?\n/) != nil, "\(outcome.output)")
        #expect(try Tool.run("--help").output.contains("coredata --version"))
        #expect(try Tool.run("--version", "x").code == 2)
    }

    @Test func helpOnAGroupTellsOfAllItsCommands() throws {
        let outcome = try Tool.run("help", "model")
        #expect(outcome.output.contains("Usage: coredata model show"))
        #expect(outcome.output.contains("Usage: coredata model hash"))
    }

    @Test("help on a code names causes and cures; a message that ends with the code leads there")
    func helpOnACode() throws {
        let refused = try Tool.run("fetch", "/nowhere.sqlite", "Hero")
        let code = try #require(refused.errors.firstMatch(of: /\[(\d+)\]\n$/)).1
        let outcome = try Tool.run("help", String(code))
        #expect(
            outcome.code == 0 && outcome.output.hasPrefix("134080 NSPersistentStoreOpenError: "), "\(outcome.output)")
        #expect(outcome.output.contains("\nCause: ") && outcome.output.contains("\nCure: "))
        let unknown = try Tool.run("help", "134099")
        #expect(unknown.code == 2 && unknown.errors.contains("there is no error 134099"), "\(unknown.errors)")
    }

    @Test func helpFitsEightyColumns() throws {
        for command in [[], ["134100"], ["fetch"], ["inspect"], ["insert"], ["set"], ["delete"], ["model", "check"]] {
            let lines = try Tool.run(["help"] + command).output.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
        }
    }

    @Test func overviewNamesAllCommands() throws {
        let outcome = try Tool.run("--help")
        #expect(outcome.code == 0)
        for command in ["inspect", "fetch", "get", "insert", "set", "delete", "model show", "model hash"] {
            #expect(outcome.output.contains("\n  \(command) "))
        }
    }

    @Test(arguments: [
        ([], "no command was given ('coredata help' lists all)"),
        (["/"], "the command must come first, for example 'coredata inspect /'"), (["hepl"], "did you mean 'help'?"),
        (["exprot-all"], "there is no command 'exprot-all' ('coredata help' lists all)"),
        (["grph"], "(did you mean 'model graph'?)"), (["ma"], "(did you mean 'map'?)"),
        (["model", "qqqqq"], "('coredata help model' lists all)"), (["manual", "fech"], "(did you mean 'fetch'?)"),
        (["model", "rmove"], "(did you mean 'model move' or 'model remove'?)"),
        (["help", "insrt"], "did you mean 'insert'?"), (["modl", "show"], "did you mean 'model'?"),
        (["inspct"], "did you mean 'inspect' or 'insert'?"), (["model"], "model show, model hash"),
        (["model", "shw"], "did you mean 'model show'?"), (["inspect"], "STORE is missing"),
        (["fetch", "x", "y", "--limit", "-3"], "--limit takes a whole number of at least 0, not '-3'"),
        (["inspect", "x", "y"], "'y' is an unexpected operand"),
    ])
    func wrongCommandLineExitsWithTwo(words: [String], message: String) throws {
        let outcome = try Tool.run(words)
        #expect(outcome.code == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errorLines.last?.hasPrefix("Try 'coredata") == true)
    }
}
