import CoreData
import TestBasics
import Testing

@Suite struct DefaultsTests {
    /// Runs `coredata defaults` with settings in a folder of the test's.
    private func run(_ arguments: String..., in folder: TemporaryFolder) throws -> Tool.Outcome {
        try Tool.run(["defaults"] + arguments, environment: ["XDG_STATE_HOME": folder.url.path])
    }

    @Test("settings are written and read by other processes, typed, and gone when they are deleted (APP-42)")
    func settingsAreWrittenAndReadByOtherProcesses() throws {
        let folder = try TemporaryFolder()
        let empty = try run("SuperDB", in: folder)
        #expect(empty.output == "{}\n")
        let missing = try run("SuperDB", "Selected Tab", in: folder)
        #expect(missing.code == 1)
        #expect(try run("SuperDB", "Selected Tab", "1", in: folder).code == 0)
        #expect(try run("SuperDB", "Name", "Zoë", in: folder).code == 0)
        let number = try run("SuperDB", "Selected Tab", in: folder)
        #expect(number.output == "1\n")
        let text = try run("SuperDB", "Name", in: folder)
        #expect(text.output == "\"Zoë\"\n")
        let refused = try run("SuperDB", "List", "[1, null]", in: folder)
        #expect(refused.code == 1)
        #expect(try run("SuperDB", "Name", "--delete", in: folder).code == 0)
        let all = try run("SuperDB", in: folder)
        #expect(all.output == "{\n  \"Selected Tab\": 1\n}\n")
    }
}
