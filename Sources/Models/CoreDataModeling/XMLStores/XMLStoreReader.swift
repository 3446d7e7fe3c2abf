import CoreDataFoundation

/// Reads an XML store in the form of Apple's framework, record by record, with memory for the largest record only.
///
/// `database` contains `databaseInfo` (`version`, `UUID`, `nextObjectID`, `metadata`) and an `object` for each record,
/// with an `attribute` for each value that is not nil and a `relationship` for each relationship. Anything else is
/// refused.
package struct XMLStoreReader {
    /// The largest number of properties of a record.
    static let greatestPropertyCount = 10_000

    private let events: MarkupEventReader

    package init(_ events: MarkupEventReader) { self.events = events }

    /// Reads the entire store.
    ///
    /// - Parameters:
    ///   - head: receives the information as soon as it has been read.
    ///   - record: receives each record, in the order of the file.
    /// - Throws: `ModelingError` with the line, and what `head` and `record` throw.
    package func read(
        head: (XMLStoreInformation) throws -> Void = { _ in }, _ record: (XMLStoreRecord) throws -> Void
    ) throws -> XMLStoreInformation {
        try readRoot()
        var information = XMLStoreInformation()
        while let event = try events.next() {
            switch event {
            case .start("databaseInfo", _):
                information = try readInformation()
                try head(information)
            case .start("object", let attributes): try record(readRecord(attributes))
            case .start(let name, _): throw events.malformed("a store has no <\(name)>")
            case .text(let text): try requireBlank(text)
            case .end: break
            }
        }
        return information
    }

    /// Reads only the information of a store, which must come before the records.
    ///
    /// - Throws: `ModelingError` with the line.
    package func readHead() throws -> XMLStoreInformation {
        try readRoot()
        guard try XMLPropertyList.nextStart(events) == "databaseInfo" else {
            throw events.malformed("the store does not begin with <databaseInfo>")
        }
        return try readInformation()
    }

    private func readRoot() throws {
        guard case .start("database", _)? = try events.next() else {
            throw events.malformed("the document is no store: its root is not <database>")
        }
    }

    private func requireBlank(_ text: String) throws {
        guard text.allSatisfy(\.isWhitespace) else { throw events.malformed("there is text between elements") }
    }

    private func readInformation() throws -> XMLStoreInformation {
        var information = XMLStoreInformation()
        while let name = try XMLPropertyList.nextStart(events) {
            switch name {
            case "version": information.version = Int(try text(of: name))
            case "UUID": information.identifier = try text(of: name)
            case "nextObjectID": information.nextObjectNumber = Int64(try text(of: name))
            case "metadata":
                while let inner = try XMLPropertyList.nextStart(events) {
                    guard inner == "plist" else { throw events.malformed("the metadata is no property list") }
                    information.metadata = try readMetadata()
                }
            default: throw events.malformed("<databaseInfo> has no <\(name)>")
            }
        }
        return information
    }

    private func text(of name: String) throws -> String {
        try XMLPropertyList.text(of: name, events).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func readMetadata() throws -> [String: PropertyList] {
        guard let name = try XMLPropertyList.nextStart(events) else { return [:] }
        guard let pairs = try XMLPropertyList.read(name, events).dictionary,
            try XMLPropertyList.nextStart(events) == nil
        else { throw events.malformed("the metadata is no dictionary") }
        return pairs
    }

    // MARK: Records

    private func readRecord(_ attributes: [String: String]) throws -> XMLStoreRecord {
        guard let entity = attributes["type"], let number = attributes["id"].flatMap({ Self.number($0[...]) }) else {
            throw events.malformed("an <object> needs a type and an id of the form z1")
        }
        var record = XMLStoreRecord(entity: entity, number: number, line: events.line)
        while let event = try events.next() {
            switch event {
            case .start("attribute", let attributes):
                guard let name = attributes["name"], let type = attributes["type"] else {
                    throw events.malformed("an <attribute> needs a name and a type")
                }
                let text = try XMLPropertyList.text(of: "attribute", events)
                record.attributes.append(
                    .init(name: name, type: type, encoding: attributes["encoding"], text: text, line: events.line))
            case .start("relationship", let attributes):
                record.relationships.append(try relationship(attributes))
                guard try text(of: "relationship").isEmpty else {
                    throw events.malformed("there is text in a <relationship>")
                }
            case .start(let name, _): throw events.malformed("an <object> has no <\(name)>")
            case .text(let text): try requireBlank(text)
            case .end: return record
            }
            guard record.attributes.count + record.relationships.count <= Self.greatestPropertyCount else {
                throw ModelingError(.limitExceeded, "an <object> has too many properties", line: events.line)
            }
        }
        return record
    }

    private func relationship(_ attributes: [String: String]) throws -> XMLStoreRecord.Relationship {
        guard let name = attributes["name"], let type = attributes["type"] else {
            throw events.malformed("a <relationship> needs a name and a type")
        }
        let members = try (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map { text in
            guard let number = Self.number(text) else { throw events.malformed("a reference is not of the form z1") }
            return number
        }
        let missing = try attributes["missing"].map { text in
            guard let number = Self.number(text[...]) else {
                throw events.malformed("a reference is not of the form z1")
            }
            return number
        }
        return .init(
            name: name, type: type, destination: attributes["destination"] ?? "", members: members, missing: missing)
    }

    /// The number in a reference of the form `z17`.
    private static func number(_ text: Substring) -> Int64? {
        guard text.first == "z", text.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text.dropFirst())
    }
}
