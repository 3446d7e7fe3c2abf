/// The tags of operations. The format may get further ones; older programs keep them as they are, so they name peers in full.
private enum OperationTag {
    static let create: UInt8 = 1
    static let set: UInt8 = 2
    static let clear: UInt8 = 3
    static let add: UInt8 = 4
    static let include: UInt8 = 5
    static let exclude: UInt8 = 6
    static let delete: UInt8 = 7
    static let unite: UInt8 = 8
    static let link: UInt8 = 9
    static let unlink: UInt8 = 10
    static let admit: UInt8 = 11
    static let retire: UInt8 = 12
    static let count: UInt8 = 13
}

extension SyncOperation {
    fileprivate var tag: UInt8 {
        switch self {
        case .create: OperationTag.create
        case .set: OperationTag.set
        case .clear: OperationTag.clear
        case .count: OperationTag.count
        case .add: OperationTag.add
        case .include: OperationTag.include
        case .exclude: OperationTag.exclude
        case .delete: OperationTag.delete
        case .unite: OperationTag.unite
        case .link: OperationTag.link
        case .unlink: OperationTag.unlink
        case .admit: OperationTag.admit
        case .retire: OperationTag.retire
        case .unknown(let tag, _): tag
        }
    }
}

extension ByteWriter {
    mutating func write(_ operation: SyncOperation) {
        write(byte: operation.tag)
        writeSized { $0.writeContent(of: operation) }
    }

    private mutating func writeContent(of operation: SyncOperation) {
        switch operation {
        case .create(let ordinal, let entity):
            write(number: UInt64(ordinal))
            write(entity)
        case .set(let object, let attribute, let value), .add(let object, let attribute, let value),
            .include(let object, let attribute, let value), .exclude(let object, let attribute, let value):
            write(object)
            write(attribute)
            write(value)
        case .clear(let object, let attribute):
            write(object)
            write(attribute)
        case .count(let object, let attribute, let value, let counted):
            write(object)
            write(attribute)
            write(value)
            write(counted)
        case .delete(let object): write(object)
        case .unite(let one, let other):
            write(one)
            write(other)
        case .link(let link): write(link)
        case .unlink(let relationship, let source, let target):
            write(relationship)
            write(source)
            write(target)
        case .admit(let peer, let role):
            write(peer: peer)
            write(byte: role.rawValue)
        case .retire(let peer): write(peer: peer)
        case .unknown(_, let bytes): write(raw: bytes)
        }
    }

    mutating func write(_ id: SchemaID) { write(fixed: UInt64(id.rawValue), count: 4) }

    private mutating func write(_ link: SyncLink) {
        write(link.relationship)
        write(link.source)
        write(link.target)
        let flags: UInt8 =
            (link.replacesTargets ? 1 : 0) | (link.replacesSources ? 2 : 0)
            | (link.sourcePosition == nil ? 0 : 4) | (link.targetPosition == nil ? 0 : 8)
        write(byte: flags)
        if let position = link.sourcePosition { write(position) }
        if let position = link.targetPosition { write(position) }
    }

    mutating func write(_ position: ListPosition) {
        write(count: position.steps.count)
        for step in position.steps {
            let offset = UInt64(bitPattern: (step.offset << 1) ^ (step.offset >> 63))
            write(number: offset << 1 | (step.isLeft ? 1 : 0))
            write(step.run.transaction)
            write(number: UInt64(step.run.number))
        }
    }
}

extension ByteReader {
    mutating func operation(author: PeerID) throws -> SyncOperation {
        let tag = try byte()
        var content = try sized()
        let operation = try content.content(of: tag)
        try content.finish()
        itemsLeft = content.itemsLeft
        return operation
    }

    private mutating func content(of tag: UInt8) throws -> SyncOperation {
        switch tag {
        case OperationTag.create:
            guard let ordinal = UInt32(exactly: try number()) else { throw error(.overflow) }
            return .create(ordinal: ordinal, entity: try schemaID())
        case OperationTag.set: return .set(try object(), try schemaID(), try value())
        case OperationTag.clear: return .clear(try object(), try schemaID())
        case OperationTag.add: return .add(try object(), try schemaID(), try value())
        case OperationTag.include: return .include(try object(), try schemaID(), try value())
        case OperationTag.exclude: return .exclude(try object(), try schemaID(), try value())
        case OperationTag.delete: return .delete(try object())
        case OperationTag.unite: return .unite(try object(), try object())
        case OperationTag.link: return .link(try link())
        case OperationTag.unlink: return .unlink(try schemaID(), source: try object(), target: try object())
        case OperationTag.admit:
            let peer = try peer()
            guard let role = PeerRole(rawValue: try byte()) else { throw error(.operation) }
            return .admit(peer, role)
        case OperationTag.count: return .count(try object(), try schemaID(), try value(), counted: try sums())
        case OperationTag.retire: return .retire(try peer())
        case 0: throw error(.operation)
        default: return .unknown(tag: tag, bytes: try raw(remaining))
        }
    }

    mutating func schemaID() throws -> SchemaID { SchemaID(rawValue: UInt32(truncatingIfNeeded: try fixed(4))) }

    private mutating func link() throws -> SyncLink {
        let relationship = try schemaID()
        let source = try object()
        let target = try object()
        let flags = try byte()
        guard flags < 16 else { throw error(.operation) }
        let sourcePosition = flags & 4 == 0 ? nil : try position()
        let targetPosition = flags & 8 == 0 ? nil : try position()
        return SyncLink(
            relationship: relationship, source: source, target: target, replacesTargets: flags & 1 != 0,
            replacesSources: flags & 2 != 0, sourcePosition: sourcePosition, targetPosition: targetPosition)
    }

    mutating func position() throws -> ListPosition {
        var steps: [ListPosition.Step] = []
        for _ in 0..<(try count(ofObjectsOf: 4)) {
            let number = try self.number()
            let offset = Int64(bitPattern: number >> 2) ^ -Int64(bitPattern: number >> 1 & 1)
            guard abs(offset) <= ListPosition.greatestOffset else { throw error(.overflow) }
            let transaction = try transaction()
            guard let runNumber = UInt32(exactly: try self.number()) else { throw error(.overflow) }
            let run = ListPosition.Run(transaction, runNumber)
            steps.append(ListPosition.Step(isLeft: number & 1 != 0, run: run, offset: offset))
        }
        guard !steps.isEmpty else { throw error(.operation) }
        return ListPosition(steps: steps)
    }
}
