import CoreData
import TestBasics
import Testing

@Suite("sync account", .timeLimit(.minutes(5)))
struct SyncAccountTests {
    @Test("an account is chosen for the user's programs, shown, and left; a variable has precedence (SYNC-07, SYNC-13)")
    func signingInAndOut() throws {
        let folder = try TemporaryFolder()
        let settings = ["XDG_CONFIG_HOME": folder.url.appendingPathComponent("settings").path]
        let shared = folder.url.appendingPathComponent("Shared folder").path
        func account(_ words: String..., also: [String: String] = [:]) throws -> Tool.Outcome {
            try Tool.run(["sync", "account"] + words, environment: settings.merging(also) { $1 })
        }
        #expect(try account().output == "no account\n")
        let none: [String: Any] = try account("--format", "json").json()
        #expect(none["folder"] is NSNull && none["identifier"] is NSNull)

        #expect(try account(shared).code == 0)
        let chosen: [String: Any] = try account("--format", "json").json()
        #expect(chosen["folder"] as? String == shared)
        let identifier = try #require(chosen["identifier"] as? String)
        #expect(UUID(uuidString: identifier) != nil)
        #expect(try account().output == "\(shared) (\(identifier))\n")

        let missing = ["OPENCOREDATA_SYNC_FOLDER": folder.url.appendingPathComponent("missing").path]
        #expect(try account(also: missing).output.hasSuffix("is no folder of an account, or not there\n"))
        let refused = try account(shared, also: missing)
        #expect(refused.code != 0 && refused.errors.contains("OPENCOREDATA_SYNC_FOLDER"))
        #expect(try account(shared, "--sign-out").code == 2)
        #expect(try account("--sign-out").output == "no account\n")
        #expect(FileManager.default.fileExists(atPath: shared))
    }
}
