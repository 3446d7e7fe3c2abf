import CoreDataStore

/// A store in one XML file, in the format of Apple's framework.
package typealias XMLStore = WholeFileStore<XMLFormat>

/// Option: whether the file is validated when it is opened. Accepted without effect, since every file is validated.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"

/// The format of XML stores: a head with the metadata, and an `object` element for each record; see Decision 0012.
///
/// A save copies the bytes of records that have not changed from the former file.
package enum XMLFormat: RecordFileFormat {
    package struct Contents {
        /// The parts before the first record and after the last one.
        let head: Range<Int>
        let tail: Range<Int>
        let lastKey: Int64
        let version: Int
        /// The records in the file's order; each range includes the white space before the record.
        let records: [(key: Int64, range: Range<Int>)]
    }

    package static var storeType: String { NSXMLStoreType }

    package static var placeName: String { "line" }

    /// The limits of the parser, with 256 MiB as the greatest size of one text.
    private static var rules: MarkupRules {
        var rules = MarkupRules()
        rules.text = 1 << 28
        return rules
    }

    package static func check(_ options: [AnyHashable: Any], of url: URL) throws {}

    // MARK: Reading

    package static func readHead(_ pieces: @escaping () throws -> [UInt8]) throws -> RecordFileHead {
        head(try XMLStoreReader(MarkupEventReader(rules: rules, pieces)).readHead())
    }

    private static func head(_ information: XMLStoreInformation) -> RecordFileHead {
        let identifier = information.identifier.flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
        return RecordFileHead(
            identifier: identifier, metadata: information.metadata.mapValues(\.foundationValue))
    }

    package static func read(
        _ pieces: @escaping () throws -> [UInt8], into loading: inout RecordLoading, _ setting: RecordSetting,
        head check: (RecordFileHead) throws -> Void
    ) throws -> Contents {
        let events = MarkupEventReader(rules: rules, pieces)
        let reading = XMLRecordReading(names: XMLNames(loading.tables), setting: setting)
        var headEnd: Int?
        var records: [(key: Int64, range: Range<Int>)] = []
        var end = 0
        let information = try XMLStoreReader(events).read { information in
            guard headEnd == nil else { throw LoadFailure("there is a second <databaseInfo>", at: events.line) }
            (headEnd, end) = (events.offset, events.offset)
            try check(Self.head(information))
        } _: { record in
            guard headEnd != nil else {
                throw LoadFailure("there is a record before <databaseInfo>", at: record.line)
            }
            if try reading.read(record, into: &loading) { records.append((record.number, end..<events.offset)) }
            end = events.offset
        }
        guard let headEnd else { throw LoadFailure("there is no <databaseInfo>", at: events.line) }
        let last = information.nextObjectNumber ?? 0
        guard last >= 0, last < Int64.max >> 1 else {
            throw LoadFailure("the number of the last record in <nextObjectID> cannot be one", at: nil)
        }
        loading.tables.noteKey(last, root: 0)
        return Contents(
            head: 0..<headEnd, tail: end..<events.offset, lastKey: last,
            version: information.version ?? XMLStoreWriter.version, records: records)
    }

    // MARK: Writing

    package static func write(_ image: RecordImage<Contents>, to output: RecordOutput) throws -> Contents {
        var writing = XMLFileWriting(image, output)
        return try writing.run()
    }

    package static func write(
        _ head: RecordFileHead, keepingRecordsOf file: FormerFile, to output: RecordOutput
    ) throws {
        let events = MarkupEventReader(rules: rules, file.reader())
        let information = try XMLStoreReader(events).readHead()
        // Reading the head stops at its end, so that `offset` is the beginning of the records.
        let rest = events.offset..<file.size
        var writer = XMLStoreWriter()
        try writer.writeHead(
            version: information.version ?? XMLStoreWriter.version, identifier: head.identifier ?? UUID().uuidString,
            lastObjectNumber: information.nextObjectNumber ?? 0, metadata: try propertyList(head.metadata))
        try output.write(writer.takeBytes())
        try output.copy(rest, of: file)
    }

    static func propertyList(_ metadata: [String: Any]) throws -> [String: PropertyList] {
        let data = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        return try PropertyList(binary: data).dictionary ?? [:]
    }
}
