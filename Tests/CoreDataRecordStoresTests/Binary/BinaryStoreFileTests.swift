import CoreData
import StoreContract
import TestBasics
import Testing

@testable import CoreDataRecordStores

/// What is the binary form's own about binary stores.
@Suite(.timeLimit(.minutes(10))) struct BinaryStoreFileTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Test.binary") }

    init() throws { folder = try TemporaryFolder() }

    private func small() throws -> [UInt8] {
        let stack = try Stack(FileStoreModel.make(), url: url, kind: .binary)
        try FileStoreModel.fill(stack, count: 3)
        try stack.coordinator.remove(stack.store)
        return [UInt8](try Data(contentsOf: url))
    }

    @Test("with any byte changed a file is refused (HAZ-50)")
    func everyByteCounts() throws {
        let whole = try small()
        let model = FileStoreModel.make()
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= UInt8(1 + place % 255)
            try Data(bytes).write(to: url)
            expectError(NSFileReadCorruptFileError, comment: "byte \(place)") {
                _ = try Stack(model, url: url, kind: .binary)
            }
        }
    }

    @Test("cut off at any byte, or with something behind it, a file is refused (HAZ-50)")
    func everyLengthCounts() throws {
        let whole = try small()
        let model = FileStoreModel.make()
        for length in 0..<whole.count {
            try Data(whole[..<length]).write(to: url)
            expectError(NSFileReadCorruptFileError, comment: "length \(length)") {
                _ = try Stack(model, url: url, kind: .binary)
            }
        }
        try Data(whole + [0]).write(to: url)
        expectError(NSFileReadCorruptFileError) { _ = try Stack(model, url: url, kind: .binary) }
    }

    @Test("an archive, and lengths beyond the file, are refused (HAZ-50)")
    func archivesAndBombs() throws {
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(object: "x"), requiringSecureCoding: true)
        try archive.write(to: url)
        let error = expectError(NSFileReadCorruptFileError) {
            try Stack(FileStoreModel.make(), url: url, kind: .binary)
        }
        #expect(error?.localizedDescription.contains("property list") == true)
        // What follows the checksums of the head is believed until the end, so it must not be trusted on the way.
        try FileManager.default.removeItem(at: url)
        let whole = try small()
        let headSize = Int(whole[12]) | Int(whole[13]) << 8 | Int(whole[14]) << 16
        let model = FileStoreModel.make()
        for place in stride(from: 24 + headSize, to: whole.count - 8, by: 3) {
            var bytes = whole
            bytes.replaceSubrange(place..<place + 8, with: repeatElement(0x7F, count: 8))
            let sum = BinaryFormat.sum(Array(bytes[(24 + headSize)..<(bytes.count - 4)]))
            withUnsafeBytes(of: sum.littleEndian) { bytes.replaceSubrange((bytes.count - 4)..., with: $0) }
            try Data(bytes).write(to: url)
            guard let stack = try? Stack(model, url: url, kind: .binary) else { continue }
            _ = try? FileStoreModel.content(stack.context)
        }
    }

    @Test("the option that would decode any class is refused by name (STO-02)")
    func insecureDecodingIsRefused() throws {
        let error = expectError(NSPersistentStoreOpenError) {
            try Stack(
                FileStoreModel.make(), url: url, kind: .binary,
                options: [NSBinaryStoreInsecureDecodingCompatibilityOption: true])
        }
        #expect(error?.localizedDescription.contains("NSBinaryStoreInsecureDecodingCompatibilityOption") == true)
        _ = try Stack(
            FileStoreModel.make(), url: url, kind: .binary, options: [NSBinaryStoreSecureDecodingClasses: ["NSArray"]])
    }
}
