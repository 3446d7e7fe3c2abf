import CoreDataStore

/// A record that a fetch found: its address, and its row and object if they are known.
struct FoundRecord {
    let address: RowAddress
    /// The row; nil if only the address was read.
    var row: RowSnapshot?
    /// The object, if it has been made already.
    var object: NSManagedObject?

    init(_ address: RowAddress, row: RowSnapshot? = nil, object: NSManagedObject? = nil) {
        self.address = address
        self.row = row
        self.object = object
    }

    init(_ object: NSManagedObject) {
        self.init(RowAddress(binding: object.binding, key: object.key), object: object)
    }
}

/// Some consecutive records of a fetch's result.
enum RecordPiece {
    /// Rows of stores.
    case rows([RowRun])
    case records([FoundRecord])

    var count: Int {
        switch self {
        case .rows(let runs): runs.rowCount
        case .records(let records): records.count
        }
    }

    /// Calls a block with each record; its address is the one that the context has for it.
    func visit(in context: NSManagedObjectContext, _ body: (FoundRecord) throws -> Void) rethrows {
        switch self {
        case .rows(let runs):
            for run in runs {
                for index in run.range {
                    let row = RowSnapshot(slab: run.slab, index: index)
                    try body(FoundRecord(RowAddress(binding: run.slab.binding, key: row.key), row: row))
                }
            }
        case .records(let records):
            for record in records {
                try body(
                    FoundRecord(context.localAddress(record.address), row: record.row, object: record.object))
            }
        }
    }
}

extension RowMaterializer {
    /// The objects of records.
    func objects(for piece: RecordPiece) -> [NSManagedObject] {
        if case .rows(let runs) = piece { return objects(for: runs) }
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(piece.count)
        piece.visit(in: context) { objects.append(object(of: $0)) }
        return objects
    }

    func object(of record: FoundRecord) -> NSManagedObject {
        record.object ?? object(at: record.address, row: record.row)
    }
}
