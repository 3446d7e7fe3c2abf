import CoreData
import StoreContract
import Testing

@testable import CoreDataSQLite

@Suite("The files of large values over a save")
struct ExternalFileTests {
    private let stack: Stack
    private let photo: NSManagedObject

    init() throws {
        let builder = ModelBuilder()
        builder.entity("Photo", ["bytes": .binaryDataAttributeType, "code": .stringAttributeType])
        builder.attribute("Photo.bytes").allowsExternalBinaryDataStorage = true
        builder["Photo"].uniquenessConstraints = [["code"]]
        stack = try Stack(builder.model)
        photo = stack.context.insert("Photo", ["bytes": Self.large(1), "code": "a"])
        try stack.context.save()
    }

    private static func large(_ byte: UInt8) -> Data { Data(repeating: byte, count: 150_000) }

    private var files: Set<String> {
        get throws {
            let folder = stack.url.deletingLastPathComponent().appendingPathComponent(".Test_SUPPORT/_EXTERNAL_DATA")
            return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        }
    }

    @Test("the file of a replaced value goes with the commit (STO-22)")
    func replacedValue() throws {
        let former = try files
        photo.setValue(Self.large(2), forKey: "bytes")
        try stack.context.save()
        #expect(try files.count == 1 && files.isDisjoint(with: former))
        #expect(try stack.newContext().all("Photo").first?.value(forKey: "bytes") as? Data == Self.large(2))
    }

    @Test("the file of a value that becomes small or nil goes (STO-22)", arguments: [Data([1]), nil])
    func valueThatNeedsNoFile(data: Data?) throws {
        photo.setValue(data, forKey: "bytes")
        try stack.context.save()
        #expect(try files.isEmpty)
    }

    @Test("the file of a deleted row goes (STO-22)")
    func deletedRow() throws {
        stack.context.delete(photo)
        try stack.context.save()
        #expect(try files.isEmpty)
    }

    @Test("a change of another attribute leaves the file (STO-22)")
    func unchangedValue() throws {
        let former = try files
        photo.setValue("b", forKey: "code")
        try stack.context.save()
        #expect(try files == former)
    }

    @Test("a save that is refused leaves the old files and none of its own (HAZ-30)")
    func refusedSave() throws {
        let former = try files
        photo.setValue(Self.large(3), forKey: "bytes")
        let rival = stack.context.insert("Photo", ["bytes": Self.large(4), "code": "a"])
        #expect(code { try stack.context.save() } == NSManagedObjectConstraintMergeError)
        #expect(try files == former)
        rival.setValue("b", forKey: "code")
        try stack.context.save()
        #expect(try files.count == 2 && files.isDisjoint(with: former))
    }
}
