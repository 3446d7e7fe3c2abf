import CZlib
import CoreDataStore

/// A store in one binary file, in a format of this library.
package typealias BinaryStore = WholeFileStore<BinaryFormat>

/// Option: the classes that a binary store may decode.
///
/// Accepted without effect: the file contains no archived objects, except what value transformers encode and decode
/// themselves.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Option: whether a binary store may decode any class that the file names.
///
/// Opening fails if the value is true: this library never decodes classes that a file names.
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"

/// The format of binary stores: header, head, body and trailer, each with a checksum; Decision 0012 lists the bytes.
package enum BinaryFormat: RecordFileFormat {
    /// Empty: the next save needs no part of the former file.
    package struct Contents {}

    package static var storeType: String { NSBinaryStoreType }

    package static var placeName: String { "record" }

    /// The first bytes of every file of the format.
    package static let magic: [UInt8] = [0x89, 0x4F, 0x43, 0x44, 0x42, 0x0D, 0x0A, 0x1A]
    static let version: UInt32 = 1
    /// The greatest size of the metadata in bytes.
    private static let mostHead = 64 << 20

    package static func check(_ options: [AnyHashable: Any], of url: URL) throws {
        guard options[NSBinaryStoreInsecureDecodingCompatibilityOption] as? Bool == true else { return }
        throw CoreDataError.make(
            NSPersistentStoreOpenError,
            "The store '\(url.path)' cannot be opened with '\(NSBinaryStoreInsecureDecodingCompatibilityOption)': classes that "
                + "a file names are never decoded here.",
            hint: "Leave the option out.", userInfo: [NSFilePathErrorKey: url.path])
    }

    // MARK: Head

    package static func readHead(_ pieces: @escaping () throws -> [UInt8]) throws -> RecordFileHead {
        try readHead(ByteInput(pieces)).head
    }

    /// Reads the header and the head; `size` is the number of bytes of both together.
    static func readHead(_ input: ByteInput) throws -> (head: RecordFileHead, size: Int) {
        input.resetChecksum()
        let start = try input.bytes(magic.count)
        guard start == magic else {
            let isList = start.starts(with: Array("bplist".utf8))
            throw LoadFailure(
                isList
                    ? "it is a property list; binary stores of Apple's framework are not read"
                    : "it is no binary store of this library", at: nil)
        }
        let version = try input.number(UInt32.self)
        let size = try input.number(UInt32.self)
        let sum = try input.number(UInt32.self)
        let known = UInt32(truncatingIfNeeded: input.checksum)
        guard try input.number(UInt32.self) == known else { throw LoadFailure("its header is damaged", at: nil) }
        guard version == Self.version else { throw LoadFailure("it is of the unknown version \(version)", at: nil) }
        guard size <= mostHead else { throw LoadFailure("its metadata is larger than is read here", at: nil) }
        input.resetChecksum()
        let bytes = try input.bytes(Int(size))
        guard UInt32(truncatingIfNeeded: input.checksum) == sum else {
            throw LoadFailure("its metadata is damaged", at: nil)
        }
        return (try head(Data(bytes)), 24 + Int(size))
    }

    private static func head(_ data: Data) throws -> RecordFileHead {
        let list: PropertyList
        do {
            list = try PropertyList(binary: data)
        } catch {
            throw LoadFailure("its metadata cannot be read: \(error)", at: nil)
        }
        guard let entries = list.dictionary else { throw LoadFailure("its metadata is no dictionary", at: nil) }
        var metadata = entries.mapValues(\.foundationValue)
        let identifier = metadata.removeValue(forKey: NSStoreUUIDKey) as? String
        return RecordFileHead(
            identifier: identifier.flatMap { UUID(uuidString: $0) == nil ? nil : $0 }, metadata: metadata)
    }

    /// The bytes of the header and the head.
    static func bytes(of head: RecordFileHead) throws -> [UInt8] {
        var metadata = head.metadata
        metadata[NSStoreUUIDKey] = head.identifier
        let data = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        guard data.count <= mostHead else {
            throw ModelingError(.unwritable, "its metadata has \(data.count) bytes, which could not be read again")
        }
        var bytes = magic
        bytes.append(number: version)
        bytes.append(number: UInt32(data.count))
        bytes.append(number: sum([UInt8](data)))
        bytes.append(number: sum(bytes))
        return bytes + data
    }

    static func sum(_ bytes: [UInt8]) -> UInt32 { UInt32(truncatingIfNeeded: RecordFile.sum(bytes, crc32(0, nil, 0))) }

    // MARK: Files

    package static func read(
        _ pieces: @escaping () throws -> [UInt8], into loading: inout RecordLoading, _ setting: RecordSetting,
        head check: (RecordFileHead) throws -> Void
    ) throws -> Contents {
        let input = ByteInput(pieces)
        try check(try readHead(input).head)
        input.resetChecksum()
        var reading = BinaryBodyReading(input, setting)
        try reading.run(into: &loading)
        let sum = UInt32(truncatingIfNeeded: input.checksum)
        guard try input.number(UInt32.self) == sum else { throw LoadFailure("its records are damaged", at: nil) }
        guard try input.isAtEnd() else { throw LoadFailure("there is something behind its end", at: nil) }
        return Contents()
    }

    package static func write(_ image: RecordImage<Contents>, to output: RecordOutput) throws -> Contents {
        try output.write(try bytes(of: image.head))
        var writing = BinaryBodyWriting(image.tables, output)
        try writing.run()
        return Contents()
    }

    package static func write(
        _ head: RecordFileHead, keepingRecordsOf file: FormerFile, to output: RecordOutput
    ) throws {
        let size = try readHead(ByteInput(file.reader())).size
        try output.write(try bytes(of: head))
        try output.copy(size..<file.size, of: file)
    }
}
