extension ByteWriter {
    /// Writes what all peers have of an object; `derived` is only kept in a store's state.
    mutating func write(_ record: ObjectRecord) {
        write(record.entity)
        write(number: record.created.rawValue)
        write(record.writes)
        write(count: record.sums.count)
        for (attribute, sums) in record.sums.sorted(by: { $0.key < $1.key }) {
            write(attribute)
            write(count: sums.count)
            for (peer, value) in sums.sorted(by: { $0.key < $1.key }) {
                write(TransactionID(peer, value.sequence))
                write(value.value)
            }
        }
        write(record.removals)
        write(count: record.deletions.count)
        for deletion in record.deletions {
            write(deletion.transaction)
            write(number: deletion.time.rawValue)
            write(deletion.seen)
        }
        write(count: record.united.count)
        for object in record.united.sorted() { write(object) }
    }

    private mutating func write(_ writes: AttributeWrites) {
        write(count: writes.attributeCount)
        let elements = writes.elements
        var attribute: SchemaID?
        for index in elements.indices {
            if elements[index].attribute != attribute {
                attribute = elements[index].attribute
                write(elements[index].attribute)
                write(count: elements[index...].prefix { $0.attribute == attribute }.count)
            }
            let item = elements[index].write
            write(item.transaction)
            write(number: item.time.rawValue)
            write(item.value)
            write(item.counted)
        }
    }

    mutating func write(_ derived: ObjectRecord.Derived) {
        let flags: UInt8 =
            (derived.survivor == nil ? 0 : 1) | (derived.isVisible ? 2 : 0) | (derived.isStored ? 4 : 0)
        write(byte: flags)
        if let survivor = derived.survivor { write(survivor) }
        write(count: derived.members.count)
        for member in derived.members { write(member) }
        write(count: derived.keys.count)
        for key in derived.keys { write(bytes: key) }
    }

    mutating func write(_ tags: [LinkTag]) {
        write(count: tags.count)
        for tag in tags {
            write(tag.transaction)
            write(number: tag.time.rawValue)
            write(
                byte: (tag.sourcePosition == nil ? 0 : 1) | (tag.targetPosition == nil ? 0 : 2)
                    | (tag.deniesDeletion ? 0 : 4))
            if let position = tag.sourcePosition { write(position) }
            if let position = tag.targetPosition { write(position) }
        }
    }
}

extension ByteReader {
    mutating func record() throws -> ObjectRecord {
        var record = ObjectRecord(entity: try schemaID(), created: HybridTime(rawValue: try number()))
        record.writes = try writes()
        for _ in 0..<(try count(ofObjectsOf: 5)) {
            let attribute = try schemaID()
            var sums: [PeerID: CounterSum] = [:]
            for _ in 0..<(try count(ofObjectsOf: 3)) {
                let last = try transaction()
                sums[last.author] = CounterSum(sequence: last.sequence, value: try value())
            }
            record.sums[attribute] = sums
        }
        record.removals = try vector()
        for _ in 0..<(try count(ofObjectsOf: 4)) {
            let id = try transaction()
            let time = HybridTime(rawValue: try number())
            record.deletions.append(Deletion(transaction: id, time: time, seen: try vector()))
        }
        for _ in 0..<(try count(ofObjectsOf: 3)) { record.united.insert(try object()) }
        return record
    }

    private mutating func writes() throws -> AttributeWrites {
        let count = try count(ofObjectsOf: 5)
        var elements: [AttributeWrites.Element] = []
        elements.reserveCapacity(min(count, 64))
        for _ in 0..<count {
            let attribute = try schemaID()
            if let last = elements.last, last.attribute >= attribute { throw error(.value) }
            for _ in 0..<(try self.count(ofObjectsOf: 5)) {
                let id = try transaction()
                let time = HybridTime(rawValue: try number())
                let write = Write(id, time: time, value: try value(), counted: try sums())
                elements.append(AttributeWrites.Element(attribute: attribute, write: write))
            }
        }
        return AttributeWrites(sorted: elements)
    }

    mutating func derived() throws -> ObjectRecord.Derived {
        var derived = ObjectRecord.Derived()
        let flags = try byte()
        derived.isVisible = flags & 2 != 0
        derived.isStored = flags & 4 != 0
        if flags & 1 != 0 { derived.survivor = try object() }
        for _ in 0..<(try count(ofObjectsOf: 3)) { derived.members.append(try object()) }
        for _ in 0..<(try count(ofObjectsOf: 1)) { derived.keys.append(try content()) }
        return derived
    }

    mutating func tags() throws -> [LinkTag] {
        var tags: [LinkTag] = []
        for _ in 0..<(try count(ofObjectsOf: 4)) {
            let id = try transaction()
            let time = HybridTime(rawValue: try number())
            let flags = try byte()
            guard flags < 8 else { throw error(.value) }
            let source = flags & 1 == 0 ? nil : try position()
            let target = flags & 2 == 0 ? nil : try position()
            tags.append(
                LinkTag(
                    transaction: id, time: time, sourcePosition: source, targetPosition: target,
                    deniesDeletion: flags & 4 == 0))
        }
        return tags
    }
}
