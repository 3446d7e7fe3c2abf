import CoreData

/// Copies a store to another place or store type.
///
/// Between SQL store types, rows are copied, and an interrupted copy can be resumed. Stores of other types are in
/// memory as a whole anyway, so that copies from or to them are made in one step.
package struct StoreCopy {
    /// How many of the values that the copy cannot store are reported one by one.
    package static let mostListed = 100

    private let store: OpenStore
    private let type: NSPersistentStore.StoreType
    private let place: URL
    private let targetClass: NSPersistentStore.Type
    private let takesHistory: Bool

    /// - Parameter takesHistory: whether the persistent history is copied, too.
    /// - Throws: `InspectionError` if the place is taken, or if a history is requested that one of the two types cannot
    /// store.
    package init(
        _ store: OpenStore, to type: NSPersistentStore.StoreType, at place: URL,
        takingHistory takesHistory: Bool = false
    ) throws {
        self.store = store
        self.type = type
        self.place = place
        self.takesHistory = takesHistory
        guard let targetClass = NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue] else {
            throw InspectionError(.badValue, subject: type.rawValue, cause: "the program has no such kind of store")
        }
        self.targetClass = targetClass
        if takesHistory {
            for (kind, name) in [
                (Swift.type(of: store.store), store.facts.type.rawValue), (targetClass, type.rawValue),
            ]
            where Self.tables(kind) == nil {
                throw InspectionError(
                    .noHistory, subject: place.place,
                    cause: "the history cannot be copied: a store of type \(name) keeps none in its file",
                    hint: "leave --history out")
            }
        }
        try NewStorePlace.requireFree(place)
    }

    private var target: (any TableCopying.Type)? { Self.tables(targetClass) }

    private var source: (any TableCopying.Type)? { Self.tables(Swift.type(of: store.store)) }

    /// Returns the type that copies stores of a kind row by row; nil for a kind that has no tables.
    private static func tables(_ kind: NSPersistentStore.Type) -> (any TableCopying.Type)? {
        kind.administration as? any TableCopying.Type
    }

    /// What the copy will lack compared with the store, as sentences.
    package var losses: [String] {
        var losses = ["The copy has an identity of its own: what refers to objects from outside by addresses is void."]
        if takesHistory {
            losses.append("The history's transactions are renumbered: tokens of the store's history are void.")
        }
        let history = try? HistoryPresence(store.facts, for: .editing)
        if history?.isOn == true, !takesHistory {
            losses.append(
                "The persistent history is not copied\(source != nil && target != nil ? "; --history takes it along" : "")."
            )
        } else if history?.keepsOldValues == true {
            losses.append("What the history's transactions wrote over is not copied.")
        }
        if store.facts.type == .sqlite, type != .sqlite {
            losses.append("Settings of the file, such as pragmas and indexes of its own, are not copied.")
        }
        return losses
    }

    /// Makes the copy.
    ///
    /// Calls `progress` from time to time with the number of copied rows and the number of all rows.
    /// - Parameters:
    ///   - isLossy: whether values that the copy cannot store are rounded or left out and passed to `note`; if false,
    ///     such values make the copy fail.
    ///   - isRestarted: whether an unfinished copy at the place is removed first.
    /// - Throws: `InspectionError`; for values that the copy cannot store, before anything is written.
    package func run(
        lossy isLossy: Bool, restarting isRestarted: Bool, note: (String) -> Void = { _ in },
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws {
        do {
            guard let source, let target else { return try runWhole(isLossy, note: note, progress: progress) }
            try runByRows(from: source, to: target, isLossy, isRestarted: isRestarted, note: note, progress: progress)
        } catch {
            throw InspectionError.unreadable(place, error)
        }
    }

    // MARK: By rows

    private func runByRows(
        from kind: any TableCopying.Type, to target: any TableCopying.Type, _ isLossy: Bool, isRestarted: Bool,
        note: (String) -> Void, progress: @escaping (Int, Int) -> Void
    ) throws {
        let model = store.model.model
        let copy = try TableCopy(of: model, from: kind, at: store.facts.url, to: target, at: place)
        defer { copy.close() }
        let history = takesHistory ? try copy.history() : nil
        if takesHistory, history == nil { throw InspectionError.noHistory(store.facts.url) }
        var refused = RefusedValues()
        try copy.refusals(by: target) { refused.add($0) }
        try settle(refused, isLossy: isLossy, note: note)
        var unreadable = RefusedValues()
        try copy.unreadableValues { unreadable.addUnreadable($0, key: $1, attribute: $2, reason: $3) }
        try settleUnreadable(unreadable, isLossy: isLossy, note: note)
        if isRestarted { try copy.discardTarget() }
        try copy.run(
            named: store.facts.url.place, leavingOutUnreadable: isLossy, history: history, progress: progress)
    }

    // MARK: At once

    private func runWhole(
        _ isLossy: Bool, note: (String) -> Void, progress: @escaping (Int, Int) -> Void
    ) throws {
        var refused = RefusedValues()
        if let target { try refused.add(of: store, by: target) }
        try settle(refused, isLossy: isLossy, note: note)
        var unreadable = RefusedValues()
        try unreadable.addUnreadable(of: store)
        try settleUnreadable(unreadable, isLossy: isLossy, note: note)
        if place.isFileURL, target == nil { return try runToRecords(isLossy, note: note, progress: progress) }
        guard !place.isFileURL, let target, let administration = targetClass.administration else {
            return try migrate(to: place, isLossy, progress: progress)
        }
        // On a server the store is made in a temporary place and published when complete; it never replaces a store.
        guard (try? targetClass.metadataForPersistentStore(with: place)) == nil else {
            throw InspectionError(
                .unreadable, subject: place.place, cause: "there is a store already",
                hint: "destroy it, or give another schema")
        }
        let temporary = target.temporary(for: place)
        administration.discardStore(at: temporary)
        defer { administration.discardStore(at: temporary) }
        try migrate(to: temporary, isLossy, progress: progress)
        try administration.publishStore(at: temporary, as: place)
    }

    private func migrate(
        to url: URL, _ isLossy: Bool, options: [AnyHashable: Any]? = nil, progress: @escaping (Int, Int) -> Void,
        finish: (NSPersistentStore) throws -> Void = { _ in }
    ) throws {
        try store.context.performAndWait {
            let copy = try store.coordinator.migratePersistentStore(
                store.store, to: url, options: options, withType: type.rawValue, leavingOutUnreadable: isLossy,
                progress: progress)
            try finish(copy)
            try store.coordinator.remove(copy)
        }
    }

    /// Copies into an XML or binary file, where both sides of each relationship must agree, unlike in rows of tables.
    /// The file gets its final name after it was read back successfully.
    private func runToRecords(
        _ isLossy: Bool, note: (String) -> Void, progress: @escaping (Int, Int) -> Void
    ) throws {
        let temporary = try TemporaryStore(for: place, type: type.rawValue)
        do {
            var (found, count, isComplete) = ([LoadFault](), 0, true)
            let options = LoadFault.options { fault in
                count += 1
                if found.count < Self.mostListed { found.append(fault) }
                if fault.remedy == nil, !fault.staysInFile { isComplete = false }
            }
            try migrate(to: temporary.url, isLossy, options: options, progress: progress) { copy in
                guard count > 0 else { return }
                var refused = RefusedValues()
                let keys = CopiedKeys(of: copy.metadata ?? [:])
                for fault in found { refused.add(fault, model: store.model.model, keys: keys, of: store.facts.uuid) }
                refused.addUnlisted(count - found.count)
                try settle(refused, isLossy: isLossy && isComplete, note: note, consequence: Self.agreement)
                try copy.serialized {
                    copy.hasUnsavedMetadata = true
                    _ = try copy.objects?.save(SavePlan())
                }
            }
            try temporary.publish()
        } catch {
            temporary.discard()
            throw error
        }
    }

    private static let agreement =
        "links that only one side has are completed or left out, required properties without a value stay so"

    private func settleUnreadable(_ refused: RefusedValues, isLossy: Bool, note: (String) -> Void) throws {
        try settle(refused, isLossy: isLossy, note: note, consequence: "large values that cannot be read are left out")
    }

    private func settle(
        _ refused: RefusedValues, isLossy: Bool, note: (String) -> Void,
        consequence: String = "decimals are rounded, NaN becomes nil"
    ) throws {
        guard refused.count > 0 else { return }
        let shown = refused.count > refused.lines.count ? ", of which the first \(refused.lines.count) are listed" : ""
        guard isLossy else {
            throw InspectionError(
                .badValue, subject: place.place, cause: "the copy cannot hold \(refused.text) of the store\(shown)",
                hint: "--lossy copies the rest: \(consequence)", log: refused.lines)
        }
        note("The copy cannot hold \(refused.text)\(shown): \(consequence).")
        refused.lines.forEach(note)
    }
}
