import CoreDataStore

/// Option: the `LoadFaultCollector` that take what is wrong with a file's records, which are then read as they can be; for checks.
let RecordFaultsOption = "CoreDataRecordFaults"

/// Something in the records of a file that keeps a store from being opened.
package struct LoadFault: Sendable {
    /// What is wrong.
    package enum Kind: Sendable {
        case unknownEntity, badKey, unknownProperty, doubledValue, wrongType, danglingReference, wrongReference,
            oneSided
        case danglingLink, doubledLink, missingValue, duplicateValues
    }

    package let kind: Kind
    /// What is wrong, in words that hold no value of an attribute.
    package let reason: String
    /// The line or the number of the record, from 1; nil where no single place is meant.
    package let place: Int?
    package let entity: String?
    package let key: Int64?
    package let property: String?
    /// What is done about it when the records are written again; nil for what stays.
    package let remedy: String?
}

extension LoadFault {
    /// The options that open a store of one file though its records are faulty: they are read as they can be, and `report` takes what is
    /// wrong with them.
    package static func options(report: @escaping (LoadFault) -> Void) -> [AnyHashable: Any] {
        [RecordFaultsOption: LoadFaultCollector(report)]
    }
}

/// Collects the faults of a file as they are found, so that reading continues without the faulty parts.
package final class LoadFaultCollector {
    private let report: (LoadFault) -> Void
    /// The keys of the records that were corrected while reading, so that they differ from those in the file.
    private(set) var changed: Set<Int64> = []
    /// Whether writing the records again would repair any fault.
    package private(set) var isRepairable = false

    package init(_ report: @escaping (LoadFault) -> Void) { self.report = report }

    func add(_ fault: LoadFault) {
        if fault.remedy != nil {
            isRepairable = true
            if let key = fault.key { changed.insert(key) }
        }
        report(fault)
    }

    /// Notes a record that is read differently because of a fault of its counterpart.
    func noteChanged(_ key: Int64) { changed.insert(key) }
}

extension RecordLoading {
    /// The record that a fault is of, and where it is in the file.
    struct FaultyRecord {
        var entity: String?
        var key: Int64?
        let place: Int?
    }

    /// Refuses the file, unless its faults are collected: then the caller leaves out what is at fault.
    ///
    /// - Throws: a `LoadFailure` without a receiver of faults.
    func fault(
        _ kind: LoadFault.Kind, reason: String, record: FaultyRecord, property: String? = nil, remedy: String?
    ) throws {
        guard let faults else { throw LoadFailure(reason, at: record.place) }
        faults.add(
            LoadFault(
                kind: kind, reason: reason, place: record.place, entity: record.entity, key: record.key,
                property: property, remedy: remedy))
    }

    /// A record that has been read.
    func record(_ position: SlabPosition) -> FaultyRecord {
        FaultyRecord(
            entity: layout(position).entity.name, key: slab(position).key(Int(position.index)), place: place(position))
    }

    /// A record by its place among those that have been read.
    func record(slab number: Int, index: Int) -> FaultyRecord {
        FaultyRecord(
            entity: slabs[number].layout.entity.name, key: slabs[number].key(index),
            place: place(slab: number, index: index))
    }
}
