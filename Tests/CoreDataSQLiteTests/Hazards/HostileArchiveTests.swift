import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite("Archives in transformable attributes")
struct HostileArchiveTests {
    /// Archives that nobody may decode, by what is wrong with them.
    private static let archives: [(name: String, data: Data)] = {
        let sound =
            (try? NSKeyedArchiver.archivedData(withRootObject: ["a", "b"], requiringSecureCoding: true)) ?? Data()
        func nested(_ depth: Int, times: Int) -> Data {
            PlistBytes.archive { plist in
                (0..<depth).map { level in
                    let next = level + 1 < depth ? [Int](repeating: level + 2, count: times) : []
                    return plist.instance(ofClassAt: depth + 1, elements: next)
                } + [plist.classNamed("NSArray")]
            }
        }
        let foreign = PlistBytes.archive { plist in
            [plist.instance(ofClassAt: 2, elements: []), plist.classNamed("Payload")]
        }
        let cycle = PlistBytes.archive { plist in
            [plist.instance(ofClassAt: 2, elements: [1]), plist.classNamed("NSArray")]
        }
        return [
            ("a class that is not allowed", foreign), ("an array that contains itself", cycle),
            ("20,000 levels", nested(20_000, times: 1)), ("two to the 40 references", nested(40, times: 2)),
            ("no property list", Data("no property list".utf8)), ("no bytes", Data([1])),
        ] + stride(from: 8, to: sound.count, by: 17).map { ("cut off at \($0)", Data(sound.prefix($0))) }
    }()

    @Test("an archive that may not be decoded is an error of its value alone, and keeps its bytes (HAZ-28)")
    func undecodedArchives() throws {
        #expect(Self.archives.count > 12)
        for (name, data) in Self.archives {
            let url = try SampleStore.make()
            let connection = try Connection.open(url.path)
            defer { connection.close() }
            try connection.execute("UPDATE ZBOOK SET ZNOTES = ? WHERE Z_PK = 1", [.blob([UInt8](data))])
            let open = try Opened(url)
            let book = try #require(try open.fetch("Book").first { $0.objectID.key == 1 })
            let clock = ContinuousClock.now
            #expect(book.value(forKey: "notes") == nil, "\(name)")
            #expect(ContinuousClock.now - clock < .seconds(30), "\(name)")
            #expect(open.reports.count == 1, "\(name): \(open.reports)")
            #expect(open.reports.allSatisfy { "\($0)".contains("notes") }, "\(name)")
            #expect(book.value(forKey: "title") != nil)
            book.setValue("another title", forKey: "title")
            try open.context.save()
            #expect(try connection.value("SELECT ZNOTES FROM ZBOOK WHERE Z_PK = 1") == .blob([UInt8](data)), "\(name)")
            #expect(try connection.value("SELECT ZTITLE FROM ZBOOK WHERE Z_PK = 1") == .text("another title"))
        }
    }
}
