import CoreData

/// One object of an import as the file has it, not yet compared with a model.
package struct ImportRecord {
    package struct Member {
        package var key: String
        package let value: EditValue

        package init(key: String, value: EditValue) {
            self.key = key
            self.value = value
        }

        init(_ member: JSONValue.Member) {
            key = member.key
            if case .null = member.value { value = .null } else { value = .json(member.value) }
        }
    }

    /// The line at which the object begins.
    package var line: Int
    /// 0 for the first record of its line, for others their number in the file.
    package var number = 0
    /// The address that the object had where it was exported; other objects of the same import may name it.
    package let label: String?
    package let entity: String?
    /// Properties by their names, each once.
    package var members: [Member]
    /// Whether derived and transient properties are passed over, as they are computed again.
    package let isExported: Bool
    /// The entity of an object that names none, where no other setting gives one.
    package var fileEntity: String?
    /// Whether it is a line of a table, which may be one of several entities: nil may stand for what the entity does not have.
    package var isTable = false
    /// How many bytes of the file it is.
    package var size = 0
    /// Why there is no object although the file goes on behind it.
    package var failure: InspectionError?
    /// What a mapping says of the record; nil for one that is imported without.
    package var mapped: Mapped?
    /// The records of the objects that it leads to, which come before it, and only if it comes.
    package var related: [ImportRecord] = []

    /// How a mapping finds the object that the record is to become.
    package final class Mapped {
        /// Attributes by whose values it is found; the first of which the record has all counts.
        package let scopes: [MatchScope]
        package let existing: ExistingObjectRule
        /// Whether an object that is not found is made.
        let creates: Bool

        init(_ scopes: [MatchScope], existing: ExistingObjectRule, creates: Bool) {
            (self.scopes, self.existing, self.creates) = (scopes, existing, creates)
        }

        /// Throws where the record is refused because its object is there, or is not.
        package func check(isThere: Bool) throws {
            if isThere, existing == .refuse {
                throw InspectionError(
                    .badValue, subject: "match", cause: "an object with these values is there already")
            }
            if !isThere, !creates {
                throw InspectionError(.noObject, subject: "match", cause: "no object has these values")
            }
        }
    }

    /// Which record of a file it is: the line, or for those behind the first of a line a negative number with line and number.
    package var position: Int { number == 0 ? line : -((line & 0x7FFF_FFFF) << 32 | number & 0xFFFF_FFFF) }

    /// The line of a position.
    package static func line(ofPosition position: Int) -> Int { position >= 0 ? position : -position >> 32 }

    /// The number of a record that is not the first of its line, from 1; nil for others.
    package static func number(ofPosition position: Int) -> Int? {
        position >= 0 ? nil : (-position & 0xFFFF_FFFF) + 1
    }
}

/// Hands out the objects of a file one by one.
package protocol ImportSource: AnyObject {
    /// The next object; nil after the last.
    ///
    /// - Throws: `InspectionError` with the line for what is not of the file's form.
    func next() throws -> ImportRecord?
}

/// Numbers the records of a file that begin at one line.
package struct RecordNumbers {
    // Objects around others come after them, and may begin at an earlier line.
    private var (greatestLine, count) = (-1, 0)

    package init() {}

    /// The next record of a source; nil after the last.
    package mutating func next(of source: any ImportSource) throws -> ImportRecord? {
        guard var record = try source.next() else { return nil }
        record.number = record.line > greatestLine ? 0 : count
        (greatestLine, count) = (max(greatestLine, record.line), count + 1)
        return record
    }
}

extension ImportRecord {
    /// A record that cannot be read, although what follows it can.
    init(failed error: InspectionError, line: Int, size: Int) {
        self.init(line: line, label: nil, entity: nil, members: [], isExported: false)
        (failure, self.size) = (error, size)
    }

    /// The object of JSON in either form: as `export` and `fetch` write it, or with its properties as members.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    package init(_ json: JSONValue, line: Int, of source: String) throws {
        guard case .members(let all) = json else {
            throw InspectionError(
                .badValue, subject: "\(source):\(line)", cause: "this is not a JSON object",
                hint: "it looks like {\"key\": value}")
        }
        var (label, entity): (String?, String?) = (nil, nil)
        var (hasGroups, flat): (Bool, String?) = (false, nil)
        var members: [Member] = []
        members.reserveCapacity(all.count + 8)
        for member in all {
            switch (member.key, member.value) {
            case ("attributes", .members(let group)), ("relationships", .members(let group)):
                hasGroups = true
                for member in group { members.append(Member(member)) }
            case ("objectID", .string(let text)): label = text
            case ("entity", .string(let text)): entity = text
            case ("objectID", .null), ("entity", .null): continue
            default:
                if flat == nil { flat = member.key }
                members.append(Member(member))
            }
        }
        if hasGroups, let flat {
            let key = PrintableText.escaped(flat, limit: 80)
            throw InspectionError(
                .badValue, subject: "\(source):\(line)",
                cause: "'\(key)' stands beside \"attributes\" and \"relationships\"",
                hint: "put it into one of them")
        }
        (self.line, self.label, self.entity) = (line, label, entity)
        isExported = hasGroups
        self.members = members
    }

    /// Leaves out properties, by the names that the file has for them.
    package mutating func leaveOut(_ names: Set<String>) {
        if !names.isEmpty { members.removeAll { names.contains($0.key) } }
    }

    /// Gives properties other names.
    package mutating func rename(_ names: [String: String]) {
        guard !names.isEmpty else { return }
        for number in members.indices {
            if let name = names[members[number].key] { members[number].key = name }
        }
    }

    /// - Throws: `InspectionError` where a property has two values, after the keys got other names.
    package func checkKeys() throws {
        var seen: Set<String> = []
        for member in members where !seen.insert(member.key).inserted {
            let key = PrintableText.escaped(member.key, limit: 80)
            throw InspectionError(
                .badValue, subject: key, cause: "the object has two values of this key", hint: "leave one out")
        }
    }
}

extension ImportRecord.Member {
    /// The labels that it has for a relationship; none for null, and for an empty text.
    ///
    /// - Throws: `InspectionError` of code `badValue`.
    package func labels(for relationship: NSRelationshipDescription) throws -> [String] {
        let names = try value.names(for: relationship)
        return relationship.isToMany || names != [""] ? names : []
    }
}
