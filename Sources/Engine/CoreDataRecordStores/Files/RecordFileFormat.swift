import CoreDataStore

/// A format of a store's records in one file, which is read and written as a whole.
package protocol RecordFileFormat: SendableMetatype {
    /// What the format must know of the present file for the next save.
    associatedtype Contents

    /// The type of the store.
    static var storeType: String { get }
    /// What `LoadFailure.place` counts, such as "line".
    static var placeName: String { get }

    /// Refuses options that the format does not support.
    static func check(_ options: [AnyHashable: Any], of url: URL) throws
    /// Reads the metadata of a store, and no further part of the file than necessary.
    ///
    /// - Throws: a `LoadFailure` or a `ModelingError`.
    static func readHead(_ pieces: @escaping () throws -> [UInt8]) throws -> RecordFileHead
    /// Reads a file and adds its records to `loading`; calls `head` with the metadata first.
    ///
    /// - Throws: a `LoadFailure` or a `ModelingError`, and the errors of `head`, which is called before any record is
    ///   read.
    static func read(
        _ pieces: @escaping () throws -> [UInt8], into loading: inout RecordLoading, _ setting: RecordSetting,
        head: (RecordFileHead) throws -> Void
    ) throws -> Contents
    /// Writes the metadata and all records.
    static func write(_ image: RecordImage<Contents>, to output: RecordOutput) throws -> Contents
    /// Writes a file with new metadata and the unchanged records of an existing file.
    static func write(_ head: RecordFileHead, keepingRecordsOf file: FormerFile, to output: RecordOutput) throws
}

/// The metadata of a store's file, including its identifier.
package struct RecordFileHead {
    /// The UUID of the store; nil if it is missing or invalid.
    package var identifier: String?
    /// All other metadata.
    package var metadata: [String: Any]
}

/// The contents of the file to be written.
package struct RecordImage<Contents> {
    package let tables: RecordTables
    package let setting: RecordSetting
    package let head: RecordFileHead
    /// Whether the metadata differs from that of the former file.
    package let isHeadChanged: Bool
    /// The keys of records that were inserted, changed or deleted since the file was read or written.
    package let changed: Set<Int64>
    /// The file as it was last read or written; nil for a new store.
    package let former: (file: FormerFile, contents: Contents)?
}

/// The present file of a store, parts of which can be copied into the next one.
package struct FormerFile {
    let file: RecordFile

    /// Returns a function that reads the file in pieces from its beginning.
    package func reader() -> () throws -> [UInt8] { file.reader() }

    package var size: Int { Int(clamping: file.mark.size) }
}

/// A file that is being written.
package struct RecordOutput {
    let file: TemporaryFile

    /// The number of bytes written so far.
    package var offset: Int { file.offset }

    package func write(_ bytes: [UInt8]) throws { try file.write(bytes) }

    package func copy(_ range: Range<Int>, of source: FormerFile) throws { try file.copy(range, of: source.file) }
}
