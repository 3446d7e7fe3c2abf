import CoreData

/// The second pass of an import: leads relationships to their targets, as now all objects are there; and the third, which
/// checks what relationships demand. What rows can be led to without objects is `RowLinkImport`'s.
struct LinkImport {
    private let progress: ImportProgress
    /// Whether each portion is saved and released.
    private let savesPortions: Bool
    private let portion: Int

    private var store: OpenStore { progress.store }

    init(_ progress: ImportProgress, portion: Int?) {
        self.progress = progress
        savesPortions = portion != nil
        self.portion = portion ?? 500
    }

    /// Sets all relationships that the ledger has.
    func run() throws {
        try RowLinkImport(progress, objects: self).run()
        var last: Int64 = 0
        while true {
            let all = try progress.ledger.links(after: last, limit: portion)
            guard let end = all.last?.number else { return }
            try ReadCancellation.check()
            try link(all)
            last = end
        }
    }

    /// Sets relationships of many objects and saves them together, or else each by itself, so that what the model refuses
    /// is refused of the record that asks for it.
    private func link(_ all: [ImportLedger.Links]) throws {
        let counts = progress.counts
        for links in all { try refusing(links.file, line: links.line) { try link(links) } }
        do {
            try finish()
        } catch let error as NSError where error.isValidation {
            store.context.rollback()
            store.context.reset()
            progress.counts = counts
            for links in all { try linkAlone(links) }
        } catch {
            throw failure(error)
        }
    }

    private func linkAlone(_ links: ImportLedger.Links) throws {
        let counts = progress.counts
        do {
            try refusing(links.file, line: links.line) { try link(links) }
            try finish()
        } catch let error as NSError where error.isValidation {
            store.context.rollback()
            store.context.reset()
            progress.counts = counts
            try progress.refuse(file: links.file, line: links.line, error)
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> any Error {
        if error is InspectionError { return error }
        return SaveFailure(error, naming: { $0.objectID.shortText }).error(at: store.facts.url)
    }

    /// Sets to-one relationships that the ledger has by themselves.
    func set(_ targets: [ImportLedger.Target]) throws {
        for target in targets {
            try refusing(target.file, line: target.line) {
                let object = progress.object(at: target.owner)
                guard case .toOne(let relationship) = object.layout.slots[target.slot].content else { return }
                try progress.editor.apply(.set(.json(.string(target.label))), to: relationship.name, of: object)
            }
        }
        guard !targets.isEmpty else { return }
        do { try finish() } catch { throw failure(error) }
    }

    /// Runs a block about an object, which is refused where the block throws something about it.
    private func refusing(_ file: Int, line: Int, body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as InspectionError {
            try progress.refuse(file: file, line: line, error)
        }
    }

    private func finish() throws {
        for object in store.context.updatedObjects {
            let entity = try progress.entity(named: object.entity.name ?? "")
            if !entity.demanding.isEmpty { try progress.ledger.check(ImportLedger.Place(object)) }
        }
        guard savesPortions else { return }
        if store.context.hasChanges { try store.context.save() }
        store.context.reset()
    }

    private func link(_ links: ImportLedger.Links) throws {
        guard !progress.isRefused(file: links.file, line: links.line) else { return }
        let object = progress.object(at: links.owner)
        let name = object.entity.name ?? ""
        let entity = try progress.entity(named: name)
        let values = try JSONReader.values(in: Array(links.members.utf8), of: "links")
        guard case .members(let members)? = values.first else { return }
        // All targets are looked up before one is taken: a record that is refused must not be in the way of another.
        let changes = try members.compactMap { member -> PropertyEditor.Change? in
            guard case .relationship(let relationship) = try entity.property(member.key),
                case .array(let labels) = member.value
            else { return nil }
            let value = relationship.isToMany ? member.value : labels.first ?? .null
            return try progress.editor.change(.set(.json(value)), of: relationship, in: object)
        }
        for change in changes { progress.editor.make(change, in: object) }
        guard links.isUnchanged, !changes.isEmpty else { return }
        progress.counts[name]?.unchanged -= 1
        progress.counts[name]?.updated += 1
    }

    /// Refuses the objects noted for this check that still lack required members, after all objects have been imported.
    func check() throws {
        var last = ImportLedger.Place(entity: -1, key: 0)
        while true {
            let places = try progress.ledger.checks(after: last, limit: portion)
            guard let end = places.last else { return }
            try ReadCancellation.check()
            for place in places {
                let object = progress.object(at: place)
                let entity = try progress.entity(named: object.entity.name ?? "")
                guard let lack = entity.lack(of: object) else { continue }
                let origin = try progress.ledger.origin(of: place)
                try progress.refuse(
                    file: origin?.file ?? 0, line: origin?.line ?? 0,
                    InspectionError(
                        .badValue, subject: origin == nil ? "\(object.objectID.shortText) \(lack.name)" : lack.name,
                        cause: "the relationship of entity '\(object.entity.name ?? "")' must have more members",
                        hint: "give the address of an object of the import or of the store"))
            }
            if savesPortions { store.context.reset() }
            last = end
        }
    }
}

extension NSError {
    /// Whether the model refuses what was to be saved, as opposed to the store.
    fileprivate var isValidation: Bool { domain == NSCocoaErrorDomain && (1550...1699).contains(code) }
}
