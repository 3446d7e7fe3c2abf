import Foundation
import Testing

@Suite struct BackupTests {
    @Test("backup copies a folder, verifies the copy and restores it; wrong uses are refused (STO-31)")
    func folderIsBackedUpVerifiedAndRestored() throws {
        let library = try Library()
        defer { library.remove() }
        let scratch = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: scratch) }
        let app = scratch.appendingPathComponent("App")
        try FileManager.default.createDirectory(
            at: app.appendingPathComponent("Caches"), withIntermediateDirectories: true)
        let store = app.appendingPathComponent("Library.sqlite")
        #expect(try Tool.run("copy", library.store.path, store.path).code == 0)
        let (copy, restored) = (scratch.path + "/Copy", scratch.path + "/Restored")
        let made = try Tool.run("backup", app.path, "-o", copy)
        #expect(
            made.code == 0 && made.output.hasPrefix("left out: Caches: cache\n1 files, 1 databases, "),
            "\(made.output)\(made.errors)")
        let verified = try Tool.run("backup", copy, "--verify", "--format", "json")
        let json = try JSONSerialization.jsonObject(with: Data(verified.output.utf8)) as? [String: Any]
        #expect(verified.code == 0 && json?["databases"] as? Int == 1, "\(verified.errors)")
        #expect(try Tool.run("backup", copy, "--restore", "-o", restored).code == 0)
        let compared = try Tool.run("compare", store.path, restored + "/Library.sqlite", "--values")
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
        #expect(try Tool.run("backup", app.path, "-o", copy).code == 1)
        #expect(try Tool.run("backup", app.path).code == 1)
        #expect(try Tool.run("backup", copy, "--verify", "-o", restored + "2").code == 1)
        try Data("x".utf8).write(to: URL(fileURLWithPath: copy + "/Files/Library.sqlite"))
        let damaged = try Tool.run("backup", copy, "--verify")
        #expect(damaged.code == 1 && damaged.errors.contains("Library.sqlite"), "\(damaged.errors)")
    }
}
