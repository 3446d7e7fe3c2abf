import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite struct ResetTests {
    @Test("a store goes with its log and large values after a confirmation, and nothing else does (TOOL-22)")
    func storeIsRemoved() throws {
        let gallery = try Gallery()
        try Data("x".utf8).write(to: gallery.file("Gallery2.txt"))
        let before = try FolderState(around: gallery.store)
        let asked = try Tool.run("reset", gallery.store.path)
        #expect(asked.code == 1 && asked.errors.contains("--yes"), "\(asked.errors)")
        let dry = try Tool.run("reset", gallery.store.path, "--dry-run")
        #expect(dry.code == 0 && dry.output.contains("Gallery.sqlite") && dry.output.contains(".Gallery_SUPPORT"))
        #expect(try FolderState(around: gallery.store) == before)
        let user = try Connection.open(gallery.store.path)
        _ = try user.value("SELECT count(*) FROM ZWORK")
        expectRefusal(try Tool.run("reset", gallery.store.path, "--yes"), containing: "another program")
        user.close()
        let done = try Tool.run("reset", gallery.store.path, "--yes")
        #expect(done.code == 0 && done.output.hasSuffix("removed\n"), "\(done.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.url.path)
        #expect(names.sorted() == ["Gallery.xcdatamodel", "Gallery2.txt"], "\(names)")
        expectRefusal(try Tool.run("reset", gallery.model.path, "--yes"))
        #expect(FileManager.default.fileExists(atPath: gallery.model.path))
    }

    @Test("the stores, caches and settings of a program go, those of another stay (TOOL-22)")
    func programIsReset() throws {
        let folder = try TemporaryFolder()
        let home = folder.url.path
        let environment = [
            "HOME": home, "XDG_DATA_HOME": home + "/data", "XDG_CACHE_HOME": home + "/cache",
            "XDG_CONFIG_HOME": home + "/config",
        ]
        let gallery = try Gallery()
        for program in ["org.example.One", "org.example.Two"] {
            for place in ["data", "cache"] {
                let own = folder.url.appendingPathComponent("\(place)/\(program)")
                try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
                try FileManager.default.copyItem(at: gallery.store, to: own.appendingPathComponent("Model.sqlite"))
            }
            let config = folder.url.appendingPathComponent("config")
            try FileManager.default.createDirectory(at: config, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: config.appendingPathComponent("\(program).plist"))
        }
        func paths() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: home).filter { $0.contains("org.example") }.sorted()
        }
        let before = try paths()
        let dry = try Tool.run(["reset", "--identifier", "org.example.One", "--dry-run"], environment: environment)
        #expect(dry.code == 0, "\(dry.errors)")
        let kinds = dry.output.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        #expect(kinds == ["stores and data", "caches", "settings", "nothing was removed"], "\(dry.output)")
        #expect(try paths() == before)
        let done = try Tool.run(["reset", "--identifier", "org.example.One", "--yes"], environment: environment)
        #expect(done.code == 0, "\(done.errors)")
        let after = try paths()
        #expect(after == before.filter { $0.contains("org.example.Two") })
        for name in ["..", "", "a/b", ".config"] {
            expectRefusal(try Tool.run(["reset", "--identifier", name, "--yes"], environment: environment))
        }
        let again = try Tool.run(["reset", "--identifier", "org.example.One", "--yes"], environment: environment)
        #expect(again.code == 0 && again.output == "there is nothing to remove\n")
    }
}
