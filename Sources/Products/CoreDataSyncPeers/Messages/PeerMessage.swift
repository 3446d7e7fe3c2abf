import CoreDataSync

/// What devices say to each other. A message is the version of this format (1), a byte for its kind, and its parts; numbers, texts and
/// bytes are written as in the items of sync.
enum PeerMessage: Equatable, Sendable {
    /// The states of the lists that the sender has.
    case states([ListState])
    /// The lists of these owners are wanted.
    case wantedLists([OwnerID])
    /// A whole list.
    case list(ItemList)
    /// The changes of a list since a counter.
    case changes(OwnerID, since: UInt64, [ItemList.Change])
    /// Items are wanted.
    case wantedItems([String])
    /// An item.
    case item(String, [UInt8])
    /// An item that is wanted is not here.
    case absent(String)

    private static let version: UInt8 = 1

    fileprivate enum Kind: UInt8 {
        case states = 1
        case wantedLists = 2
        case list = 3
        case changes = 4
        case wantedItems = 5
        case item = 6
        case absent = 7
    }

    // MARK: Writing

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: Self.version)
        switch self {
        case .states(let states): writer.write(Kind.states, states) { $0.write($1) }
        case .wantedLists(let owners): writer.write(Kind.wantedLists, owners) { $0.write(fixed: $1.value, count: 8) }
        case .list(let list):
            writer.write(byte: Kind.list.rawValue)
            writer.write(fixed: list.owner.value, count: 8)
            writer.write(number: list.counter)
            writer.write(Array(list.former)) { $0.write(fixed: $1.value, count: 8) }
            writer.write(Array(list.sizes)) {
                $0.write(text: $1.key)
                $0.write(count: $1.value)
            }
        case .changes(let owner, let counter, let changes):
            writer.write(byte: Kind.changes.rawValue)
            writer.write(fixed: owner.value, count: 8)
            writer.write(number: counter)
            writer.write(changes) { $0.write($1) }
        case .wantedItems(let names): writer.write(Kind.wantedItems, names) { $0.write(text: $1) }
        case .item(let name, let bytes):
            writer.write(byte: Kind.item.rawValue)
            writer.write(text: name)
            writer.write(bytes: bytes)
        case .absent(let name):
            writer.write(byte: Kind.absent.rawValue)
            writer.write(text: name)
        }
        return writer.bytes
    }

    // MARK: Reading

    /// Reads a message of another device.
    ///
    /// - Throws: `FormatError` for bytes that are none, or that break a bound.
    init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.version else { throw reader.error(.newerFormat) }
        switch Kind(rawValue: try reader.byte()) {
        case .states: self = .states(try reader.elements(ofSize: 17) { try $0.listState() })
        case .wantedLists: self = .wantedLists(try reader.elements(ofSize: 8) { OwnerID(try $0.fixed(8)) })
        case .list: self = .list(try reader.itemList())
        case .changes:
            let owner = OwnerID(try reader.fixed(8))
            self = .changes(owner, since: try reader.number(), try reader.elements(ofSize: 2) { try $0.listChange() })
        case .wantedItems: self = .wantedItems(try reader.elements(ofSize: 1) { try $0.itemName() })
        case .item: self = .item(try reader.itemName(), try reader.content())
        case .absent: self = .absent(try reader.itemName())
        case nil: throw reader.error(.unknownKind)
        }
        try reader.finish()
    }
}

extension ByteWriter {
    fileprivate mutating func write<Element>(
        _ kind: PeerMessage.Kind, _ elements: [Element], _ write: (inout ByteWriter, Element) -> Void
    ) {
        self.write(byte: kind.rawValue)
        self.write(elements, write)
    }

    fileprivate mutating func write<Element>(_ elements: [Element], _ write: (inout ByteWriter, Element) -> Void) {
        self.write(count: elements.count)
        for element in elements { write(&self, element) }
    }

    fileprivate mutating func write(_ state: ListState) {
        write(fixed: state.owner.value, count: 8)
        write(number: state.counter)
        write(fixed: state.digest, count: 8)
    }

    fileprivate mutating func write(_ change: ItemList.Change) {
        switch change {
        case .added(let name, let size):
            write(byte: 1)
            write(text: name)
            write(count: size)
        case .removed(let name):
            write(byte: 0)
            write(text: name)
        }
    }
}

extension ByteReader {
    fileprivate mutating func elements<Element>(
        ofSize size: Int, _ read: (inout ByteReader) throws -> Element
    ) throws -> [Element] {
        let count = try count(ofItemsOf: size)
        guard count <= ItemList.Limits.items else { throw error(.tooManyItems) }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }

    fileprivate mutating func listState() throws -> ListState {
        ListState(owner: OwnerID(try fixed(8)), counter: try counter(), digest: try fixed(8))
    }

    fileprivate mutating func itemList() throws -> ItemList {
        let owner = OwnerID(try fixed(8))
        let counter = try counter()
        let former = Set(try elements(ofSize: 8) { OwnerID(try $0.fixed(8)) })
        guard former.count <= ItemList.Limits.former, !former.contains(owner) else { throw error(.value) }
        var sizes: [String: Int] = [:]
        for (name, size) in try elements(ofSize: 2, { (try $0.itemName(), try $0.itemSize()) }) {
            guard sizes.updateValue(size, forKey: name) == nil else { throw error(.value) }
        }
        // Each item has raised the counter once.
        guard counter >= UInt64(sizes.count) else { throw error(.value) }
        return ItemList(owner, counter: counter, sizes: sizes, former: former)
    }

    fileprivate mutating func listChange() throws -> ItemList.Change {
        switch try byte() {
        case 1: .added(try itemName(), size: try itemSize())
        case 0: .removed(try itemName())
        default: throw error(.value)
        }
    }

    fileprivate mutating func counter() throws -> UInt64 {
        let counter = try number()
        guard counter <= ItemList.Limits.counter else { throw error(.overflow) }
        return counter
    }

    fileprivate mutating func itemName() throws -> String {
        let name = try text()
        guard ItemName.isValid(name) else { throw error(.text) }
        return name
    }

    fileprivate mutating func itemSize() throws -> Int {
        let size = try number()
        guard size <= UInt64(ItemList.Limits.itemSize) else { throw error(.overflow) }
        return Int(size)
    }
}
