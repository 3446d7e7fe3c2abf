import CoreData

/// Makes the records of an import out of the values of a document, by a mapping.
///
/// The record of a value has with it those of the objects that it is related to, and leads to them by labels. An object that is found by values has a label made of these, so that all that name it lead to one.
package final class MappedRecords: ImportSource {
    /// How many labels are remembered with the content that was last imported under them.
    private static let mostContents = 100_000

    private let items: any DocumentItems
    private let plan: MappingPlan
    private let url: String
    private var index = 0
    /// What objects that are related to several records were last made of: the same is not imported again.
    private var contents: [String: Int] = [:]
    /// The hashes of the labels of objects that are refused where they are there already, but that the import has made itself.
    private var made: Set<Int> = []

    package init(_ items: any DocumentItems, _ plan: MappingPlan, url: String) {
        (self.items, self.plan, self.url) = (items, plan, url)
    }

    /// Imports related objects again that came before.
    package func forgetRelated() { contents.removeAll(keepingCapacity: true) }

    package func next() throws -> ImportRecord? {
        guard let item = try items.next() else { return nil }
        defer { index += 1 }
        var made = Made(item.line, item.bases, source: self)
        do {
            try made.add(item.value.get(), plan.records[item.path], isRelated: false)
            guard var record = made.records.popLast() else { return try next() }
            (record.size, record.related) = (item.size, made.records)
            remember(made.contents)
            self.made.formUnion(made.unique)
            return record
        } catch let error as InspectionError {
            return ImportRecord(failed: error, line: item.line, size: item.size)
        }
    }

    /// The records of one value of the document.
    private struct Made {
        let line: Int
        /// The attributes `xml:base` around the value.
        let bases: [String]
        let source: MappedRecords
        /// What relative addresses are relative to.
        private lazy var base = RelativeAddress.base(of: source.url, bases)
        var records: [ImportRecord] = []
        /// What the labelled ones were made of.
        private(set) var contents: [String: Int] = [:]
        /// The hashes of labels of objects that must not be there before the import.
        private(set) var unique: [Int] = []
        private var unnamed = 0

        init(_ line: Int, _ bases: [String], source: MappedRecords) {
            (self.line, self.bases, self.source) = (line, bases, source)
        }

        /// Adds the record of a value, after those of what it is related to, and gives its label.
        @discardableResult
        mutating func add(_ value: JSONValue, _ plan: MappingPlan.Records, isRelated: Bool) throws -> String? {
            let entity = try entity(of: value, plan)
            try checkMembers(of: value, plan)
            var members: [ImportRecord.Member] = []
            members.reserveCapacity(entity.properties.count)
            for property in entity.properties {
                if let given = try self.value(property, in: value) {
                    members.append(.init(key: property.rule.name, value: given))
                }
            }
            guard !members.isEmpty else {
                throw ValueConversion.wrong(entity.name, "the record has none of the values that the mapping names")
            }
            let found = label(entity, members)
            var label = found
            if isRelated, label == nil {
                unnamed += 1
                label = "mapped record \(source.index).\(unnamed)"
            }
            if isRelated, let label, found != nil {
                let content = Self.hash(members)
                let known = contents[label] ?? source.contents[label]
                // An object that is not to be changed is not even looked for again.
                if known == content || known != nil && plan.rule.existing != .update { return label }
                contents[label] = content
            }
            var record = ImportRecord(
                line: line, label: label, entity: entity.name, members: members, isExported: false)
            record.mapped = entity.mapped
            if isRelated, plan.rule.existing == .refuse, let found {
                if source.made.contains(found.hashValue) { record.mapped = entity.known }
                unique.append(found.hashValue)
            }
            records.append(record)
            return label
        }

        private func entity(of value: JSONValue, _ plan: MappingPlan.Records) throws -> MappingPlan.Entity {
            guard case .byValue(let path, let words) = plan.rule.entity else {
                if let entity = plan.entities.first?.value { return entity }
                throw ValueConversion.wrong("entity", "the mapping names none")
            }
            let text = path.values(in: value).first?.text
            guard let name = text.flatMap({ words[$0] }) ?? words["*"], let entity = plan.entities[name] else {
                throw ValueConversion.wrong(path.text, "the mapping has no entity for this text")
            }
            return entity
        }

        private func checkMembers(of value: JSONValue, _ plan: MappingPlan.Records) throws {
            guard let known = plan.knownMembers, case .members(let members) = value,
                let other = members.first(where: { !known.contains($0.key) })
            else { return }
            throw ValueConversion.wrong(
                PrintableText.escaped(other.key, limit: 80), "the mapping has no property for this key",
                hint: NameSuggestion(for: other.key, in: known)?.question)
        }

        /// The value of a property; nil where the record says nothing of it.
        private mutating func value(_ property: MappingPlan.Property, in record: JSONValue) throws -> EditValue? {
            let given: [JSONValue] =
                switch property.rule.source {
                case .paths(let paths): Self.values(paths, in: record)
                case .constant(let text): [.string(text)]
                case .documentURL: [.string(source.url)]
                case .index: [.integer(Int64(source.index))]
                }
            let value: EditValue?
            do {
                switch property.content {
                case .attribute(let attribute, let kind, let conversion):
                    value = try conversion.value(
                        given, for: attribute, kind, relativeTo: conversion.isAddress ? base : nil)
                case .related(let relationship, let related):
                    value = try labels(given, relationship, related)
                }
            } catch var error as InspectionError {
                if let path = property.rule.source.paths.first, error.subject == property.rule.name {
                    error.subject = "\(property.rule.name) (\(path.text))"
                }
                throw error
            }
            switch (value, property.rule.missing) {
            case (nil, .keep): return nil
            case (nil, .null): return .null
            case (nil, .refuse), (.null, .refuse):
                throw ValueConversion.wrong(property.rule.name, "the record has no value for it")
            case (let value?, _): return value
            }
        }

        /// The values at the first path that has some, null counting least.
        private static func values(_ paths: [DocumentPath], in record: JSONValue) -> [JSONValue] {
            var first: [JSONValue] = []
            for path in paths {
                let values = path.values(in: record)
                if values.contains(where: { if case .null = $0 { false } else { true } }) { return values }
                if first.isEmpty { first = values }
            }
            return first
        }

        private static func hash(_ members: [ImportRecord.Member]) -> Int {
            var hasher = Hasher()
            for member in members { hasher.combine(ExactText("\(member.key)=\(member.value)")) }
            return hasher.finalize()
        }

        private mutating func labels(
            _ given: [JSONValue], _ relationship: NSRelationshipDescription, _ related: MappingPlan.Records
        ) throws -> EditValue? {
            guard !given.isEmpty else { return nil }
            let values = given.flatMap { value -> [JSONValue] in
                switch value {
                case .array(let elements): elements
                case .null: []
                default: [value]
                }
            }
            guard relationship.isToMany || values.count <= 1 else {
                throw ValueConversion.wrong(relationship.name, "there are \(values.count) values for one object")
            }
            var labels: [String] = []
            for value in values {
                guard let label = try add(value, related, isRelated: true), !labels.contains(label) else { continue }
                labels.append(label)
            }
            if relationship.isToMany { return .json(.array(labels.map { .string($0) })) }
            return labels.first.map { .json(.string($0)) } ?? .null
        }

        /// The label of an object that is found by its values; nil where it is not.
        private func label(_ entity: MappingPlan.Entity, _ members: [ImportRecord.Member]) -> String? {
            for scope in entity.mapped.scopes {
                let names = scope.attributes.map(\.name)
                let texts = names.compactMap { name in
                    members.first { $0.key == name }.flatMap { Self.text($0.value) }
                }
                guard texts.count == names.count else { continue }
                return Self.plain(
                    "mapped \(entity.name) \(names.joined(separator: ",")) " + texts.joined(separator: "\u{0}"))
            }
            return nil
        }

        /// The text in ASCII: labels are compared as texts of Swift, for which composed and decomposed characters are equal.
        private static func plain(_ text: String) -> String {
            guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
            return text.utf8.reduce(into: "") { $0 += $1 < 0x80 ? String(Unicode.Scalar($1)) : "%\($1)" }
        }

        private static func text(_ value: EditValue) -> String? {
            switch value {
            case .field(let text), .text(let text), .json(.string(let text)), .json(.number(let text)): text
            case .json(.integer(let number)): String(number)
            case .json(.bool(let flag)): flag ? "true" : "false"
            default: nil
            }
        }
    }

    private func remember(_ made: [String: Int]) {
        if contents.count >= Self.mostContents { contents.removeAll(keepingCapacity: true) }
        contents.merge(made) { $1 }
    }
}
