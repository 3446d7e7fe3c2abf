import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite("Large values in files beside the store")
struct ExternalDataTests {
    private static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    private static func storeWithLargeCover() throws -> (url: URL, folder: URL, name: String) {
        let url = try SampleStore.make()
        let open = try Opened(url)
        let book = try #require(try open.fetch("Book").first { $0.objectID.key == 1 })
        book.setValue(large, forKey: "cover")
        try open.context.save()
        let folder = url.deletingLastPathComponent().appendingPathComponent(".Books_SUPPORT/_EXTERNAL_DATA")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (url, folder, try #require(names.count == 1 ? names[0] : nil))
    }

    private static func cover(_ url: URL) throws -> (Data?, [any Error]) {
        let open = try Opened(url)
        let book = try #require(try open.fetch("Book").first { $0.objectID.key == 1 })
        let value = book.value(forKey: "cover") as? Data
        #expect(book.value(forKey: "title") != nil)
        return (value, open.reports)
    }

    @Test("a value strictly above 100 × 1024 bytes goes to a file in Apple's layout, others stay in the row (STO-22)")
    func thresholdAndLayout() throws {
        let (url, folder, name) = try Self.storeWithLargeCover()
        #expect(UUID(uuidString: name)?.uuidString == name)
        #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == Self.large)
        let connection = try Connection.open(url.path)
        guard case .blob(let bytes) = try connection.value("SELECT ZCOVER FROM ZBOOK WHERE Z_PK = 1") else {
            Issue.record("no blob")
            return
        }
        #expect(bytes == [2] + Array(name.utf8) + [0])
        #expect(try Self.cover(url).0 == Self.large)

        let open = try Opened(url)
        for (key, size) in [(2, 102_400), (3, 102_401), (4, 0)] as [(Int64, Int)] {
            let book = try #require(try open.fetch("Book").first { $0.objectID.key == key })
            book.setValue(Data(repeating: 7, count: size), forKey: "cover")
        }
        try open.context.save()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        #expect(try connection.value("SELECT length(ZCOVER) FROM ZBOOK WHERE Z_PK = 2") == 102_401)
        #expect(try connection.value("SELECT length(ZCOVER) FROM ZBOOK WHERE Z_PK = 3") == 38)
        #expect(try connection.value("SELECT hex(ZCOVER) FROM ZBOOK WHERE Z_PK = 4") == .text("01"))
    }

    @Test(
        "a file that is missing, a link, a folder, a pipe or has further names is an error of the value alone (HAZ-29)")
    func replacedFiles() throws {
        let secret = try Fixtures.temporaryFolder().appendingPathComponent("secret")
        try Data("secret".utf8).write(to: secret)
        for kind in ["missing", "symbolic", "hard", "folder", "pipe", "empty", "supportLink", "dataLink"] {
            let (url, folder, name) = try Self.storeWithLargeCover()
            let file = folder.appendingPathComponent(name)
            let files = FileManager.default
            let aside = try Fixtures.temporaryFolder().appendingPathComponent("aside")
            if !kind.hasSuffix("Link") { try files.removeItem(at: file) }
            switch kind {
            case "symbolic": try files.createSymbolicLink(at: file, withDestinationURL: secret)
            case "hard": try files.linkItem(at: secret, to: file)
            case "folder": try files.createDirectory(at: file, withIntermediateDirectories: false)
            case "pipe": #expect(mkfifo(file.path, 0o600) == 0)
            case "empty": try Data().write(to: file)
            case "supportLink":
                try files.moveItem(at: folder.deletingLastPathComponent(), to: aside)
                try files.createSymbolicLink(at: folder.deletingLastPathComponent(), withDestinationURL: aside)
            case "dataLink":
                try files.moveItem(at: folder, to: aside)
                try files.createSymbolicLink(at: folder, withDestinationURL: aside)
            default: break
            }
            let (value, reports) = try Self.cover(url)
            #expect(value == (kind == "empty" ? Data() : nil), "\(kind)")
            #expect(reports.count == (kind == "empty" ? 0 : 1), "\(kind)")
            #expect(reports.allSatisfy { "\($0)".contains("beside the store") })
        }
    }

    @Test(
        "a name that is not a UUID leads nowhere (HAZ-29)",
        arguments: [
            "../../secret", "/etc/passwd", "..", "", "0123456789012345678901234567890123456789",
            "FEFE4176-912D-429F-9C83-662FFF64111/",
        ])
    func hostileNames(_ name: String) throws {
        let (url, _, _) = try Self.storeWithLargeCover()
        let connection = try Connection.open(url.path)
        try connection.execute(
            "UPDATE ZBOOK SET ZCOVER = ? WHERE Z_PK = 1", [.blob([2] + Array(name.utf8) + [0])])
        connection.close()
        let (value, reports) = try Self.cover(url)
        #expect(value == nil)
        #expect(reports.count == 1)
    }

    @Test("a save that fails leaves no file of a large value behind (HAZ-30)")
    func failedSaveLeavesNoFile() throws {
        let (url, folder, name) = try Self.storeWithLargeCover()
        let open = try Opened(url)
        let book = try #require(try open.fetch("Book").first { $0.objectID.key == 1 })
        _ = book.value(forKey: "title")
        try SampleStore.tamper(url, "UPDATE ZBOOK SET Z_OPT = Z_OPT + 5 WHERE Z_PK = 1")
        book.setValue(Self.large + Data([1]), forKey: "cover")
        expectError(133020) { try open.context.save() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    }

    @Test("a store that was moved with its folder still finds its large values (STO-24)")
    func movedStore() throws {
        let (url, _, _) = try Self.storeWithLargeCover()
        let target = try Fixtures.temporaryFolder().appendingPathComponent("moved")
        try FileManager.default.moveItem(at: url.deletingLastPathComponent(), to: target)
        #expect(try Self.cover(target.appendingPathComponent("Books.sqlite")).0 == Self.large)
    }
}
