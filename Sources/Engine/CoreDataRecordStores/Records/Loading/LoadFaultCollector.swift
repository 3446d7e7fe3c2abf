import CoreDataStore

/// Option: a `LoadFaultCollector`, which receives the faults of a file's records; the store is then opened with the
/// remaining data. For checks.
let RecordFaultsOption = "CoreDataRecordFaults"

/// A fault of a file's records because of which opening the store fails, unless a collector receives it.
package struct LoadFault: Sendable {
    /// The kind of fault.
    package enum Kind: Sendable {
        case unknownEntity, badKey, unknownProperty, doubledValue, wrongType, danglingReference, wrongReference,
            oneSided
        case danglingLink, doubledLink, missingValue, duplicateValues
    }

    package let kind: Kind
    /// A description of the fault that contains no attribute values.
    package let reason: String
    /// The line or the number of the record, from 1; nil if no single place is at fault.
    package let place: Int?
    package let entity: String?
    package let key: Int64?
    package let property: String?
    /// How reading corrects the fault, which takes effect when the records are written again; nil if the fault remains.
    package let remedy: String?
}

extension LoadFault {
    /// Options for opening a single-file store even if its records have faults: valid parts are read, and `report` is
    /// called with each fault.
    package static func options(report: @escaping (LoadFault) -> Void) -> [AnyHashable: Any] {
        [RecordFaultsOption: LoadFaultCollector(report)]
    }
}

/// Receives the faults of a file as they are found; reading then continues without the faulty parts.
package final class LoadFaultCollector {
    private let report: (LoadFault) -> Void
    /// The keys of the records that reading has corrected, so that they differ from those in the file.
    private(set) var changed: Set<Int64> = []
    /// Whether writing the records again would repair at least one fault.
    package private(set) var isRepairable = false

    package init(_ report: @escaping (LoadFault) -> Void) { self.report = report }

    func add(_ fault: LoadFault) {
        if fault.remedy != nil {
            isRepairable = true
            if let key = fault.key { changed.insert(key) }
        }
        report(fault)
    }

    /// Notes a record that reading has changed because of a fault of a related record.
    func noteChanged(_ key: Int64) { changed.insert(key) }
}

extension RecordLoading {
    /// The record that has a fault, and its place in the file.
    struct FaultyRecord {
        var entity: String?
        var key: Int64?
        let place: Int?
    }

    /// Reports a fault: throws, unless faults are collected; the caller then leaves out the faulty part.
    ///
    /// - Throws: a `LoadFailure` if there is no collector.
    func fault(
        _ kind: LoadFault.Kind, reason: String, record: FaultyRecord, property: String? = nil, remedy: String?
    ) throws {
        guard let faults else { throw LoadFailure(reason, at: record.place) }
        faults.add(
            LoadFault(
                kind: kind, reason: reason, place: record.place, entity: record.entity, key: record.key,
                property: property, remedy: remedy))
    }

    /// The description of a record that has been read, for a fault.
    func record(_ position: SlabPosition) -> FaultyRecord {
        FaultyRecord(
            entity: layout(position).entity.name, key: slab(position).key(Int(position.index)), place: place(position))
    }

    /// The description of a record that has been read, by its slab and index, for the report of an error in the file.
    func record(slab number: Int, index: Int) -> FaultyRecord {
        FaultyRecord(
            entity: slabs[number].layout.entity.name, key: slabs[number].key(index),
            place: place(slab: number, index: index))
    }
}
