import CoreDataStore

/// The layout of a store's records in one file that is read and written as a whole.
package protocol RecordFileFormat: SendableMetatype {
    /// The state of the file that the format needs at the next save.
    associatedtype Contents

    /// The name of the kind of store.
    static var storeType: String { get }
    /// The term for places of a `LoadFailure`, such as "line".
    static var placeName: String { get }

    /// Refuses options that the format does not support.
    static func check(_ options: [AnyHashable: Any], of url: URL) throws
    /// Reads the metadata of a store, and no more of the file than needed.
    ///
    /// - Throws: a `LoadFailure` or a `ModelingError`.
    static func readHead(_ pieces: @escaping () throws -> [UInt8]) throws -> RecordFileHead
    /// Reads a file.
    ///
    /// - Throws: a `LoadFailure` or a `ModelingError`; `head` is called before any record is read, and may throw too.
    static func read(
        _ pieces: @escaping () throws -> [UInt8], into loading: inout RecordLoading, _ setting: RecordSetting,
        head: (RecordFileHead) throws -> Void
    ) throws -> Contents
    /// Writes all records.
    static func write(_ image: RecordImage<Contents>, to output: RecordOutput) throws -> Contents
    /// Writes a file with another head and the records of a present one.
    static func write(_ head: RecordFileHead, keepingRecordsOf file: FormerFile, to output: RecordOutput) throws
}

/// The metadata of a store, without opening it.
package struct RecordFileHead {
    /// The store's identity; nil for one that is missing or no UUID.
    package var identifier: String?
    /// All other metadata.
    package var metadata: [String: Any]
}

/// What is to be written.
package struct RecordImage<Contents> {
    package let tables: RecordTables
    package let setting: RecordSetting
    package let head: RecordFileHead
    /// Whether the head is another than that of the file that was read.
    package let isHeadChanged: Bool
    /// The keys of records that were inserted, changed or deleted since the file was read or written.
    package let changed: Set<Int64>
    /// The file as it was read or written last; nil for a new store.
    package let former: (file: FormerFile, contents: Contents)?
}

/// A file from which parts can be copied.
package struct FormerFile {
    let file: RecordFile

    /// Gives the file piece by piece from its beginning.
    package func reader() -> () throws -> [UInt8] { file.reader() }

    package var size: Int { Int(clamping: file.mark.size) }
}

/// A file that is being written.
package struct RecordOutput {
    let file: TemporaryFile

    /// The bytes that have been written so far.
    package var offset: Int { file.offset }

    package func write(_ bytes: [UInt8]) throws { try file.write(bytes) }

    package func copy(_ range: Range<Int>, of source: FormerFile) throws { try file.copy(range, of: source.file) }
}
