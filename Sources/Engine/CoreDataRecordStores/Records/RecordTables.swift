import CoreDataStore

/// The location of a row: the entity, the number of the slab in the entity's pool, and the index in the slab.
struct SlabPosition: BitwiseCopyable {
    let entity: Int32
    let slab: Int32
    let index: Int32
}

/// The records of one store in memory: rows in slabs, found by key, with an index of each relationship in both
/// directions.
///
/// The tables do not depend on files, coordinators or contexts, so that every store with its records in memory can use
/// them.
///
/// Invariants:
/// 1. The table of a root entity maps each key to its only live row, in the pool of the row's entity.
/// 2. `indexes` and `links` contain the relationships of live rows; an index also contains references to deleted rows.
/// 3. A key that is not greater than the `lastKey` of its root is never given out again.
package final class RecordTables {
    /// The positions of the rows of one entity hierarchy by key, and the last key given out.
    final class Root {
        var places = OpenTable<SlabPosition>()
        var lastKey: Int64 = 0
    }

    /// Among which records a key is unique.
    package enum KeySpace: Sendable {
        /// Among the records of one entity hierarchy.
        case hierarchy
        /// Among all records of the store.
        case store
    }

    package let model: ModelLayout
    private let keySpace: KeySpace
    /// The bindings, by the numbers of the entities; they retain the model.
    let bindings: [EntityBinding]
    let roots: [Root]
    let pools: [SlabPool]
    let plan: RelationPlan
    let derivations: DerivationPlan
    var indexes: [LinkLists]
    var links: [LinkTable]
    var constraints: [UniqueIndex]
    /// The slabs that the tables themselves made since the last `takeMadeSlabs()`; all their rows are current.
    var madeSlabs: [RowSlab] = []

    /// Makes empty tables; `bindings` are those of the model's entities, by number.
    package init(model: ModelLayout, bindings: [EntityBinding], keySpace: KeySpace = .hierarchy) {
        self.model = model
        self.keySpace = keySpace
        self.bindings = bindings
        roots = (0..<model.rootCount).map { _ in Root() }
        pools = bindings.map { _ in SlabPool() }
        derivations = DerivationPlan(model: model)
        plan = RelationPlan(model: model, indexing: derivations.pathRelationships)
        indexes = plan.indexes
        links = plan.links
        constraints = UniqueIndex.all(of: model)
    }

    // MARK: Rows

    /// The row with a key in one entity hierarchy.
    package func row(root: Int, key: Int64) -> RowSnapshot? {
        guard let place = roots[root].places[key], let slab = pools[Int(place.entity)].slab(Int(place.slab)) else {
            return nil
        }
        return RowSnapshot(slab: slab, index: Int(place.index))
    }

    /// The number of rows of an entity, with those of its descendants on request.
    package func count(of layout: EntityLayout, includesSubentities: Bool) -> Int {
        family(of: layout, includesSubentities).reduce(0) { $0 + pools[$1.number].rowCount }
    }

    /// The rows of an entity in the order of their keys, with those of its descendants on request.
    package func runs(of layout: EntityLayout, includesSubentities: Bool) -> [RowRun] {
        RowOrder.byKey(family(of: layout, includesSubentities).flatMap { pools[$0.number].runs })
    }

    func family(of layout: EntityLayout, _ includesSubentities: Bool) -> ArraySlice<EntityLayout> {
        includesSubentities ? model.family(of: layout) : model.entities[layout.number...layout.number]
    }

    // MARK: Relationships

    /// The keys of the members of a to-many relationship, in the relationship's order, or sorted by key if it is not
    /// ordered.
    package func members(of relationship: NSRelationshipDescription, owner: Int64) -> [Int64] {
        switch plan.source(of: relationship) {
        case .index(let number): indexes[number].members(of: owner)
        case .links(let number, let backwards): links[number].members(of: owner, backwards: backwards)
        case nil: []
        }
    }

    /// The keys of the members of a to-many relationship that have rows.
    package func presentMembers(of relationship: NSRelationshipDescription, owner: Int64) -> [Int64] {
        members(of: relationship, owner: owner).filter { hasTarget(of: relationship, $0) }
    }

    /// Whether a row with the key exists in the hierarchy of the relationship's destination entity.
    package func hasTarget(of relationship: NSRelationshipDescription, _ key: Int64) -> Bool {
        guard let root = relationship.destinationEntity.flatMap(model.layout(of:))?.root else { return false }
        return roots[root].places[key] != nil
    }

    // MARK: Keys

    /// Reserves the next keys of each root entity.
    ///
    /// - Throws: `NSPersistentStoreSaveError` if no 64-bit keys are left.
    package func grantKeys(_ demand: KeyDemand) throws -> KeyGrant {
        var blocks: [Int: KeyGrant.Block] = [:]
        for (root, count) in demand.counts {
            let space = keyOwner(of: root)
            let (last, overflow) = space.lastKey.addingReportingOverflow(Int64(count))
            guard !overflow else {
                let entity = model.entities.first { $0.root == root }?.entity.name ?? ""
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "The store cannot be saved: the entity '\(entity)' has used the last key there is.",
                    hint: "Move the objects of the entity '\(entity)' to a new store.")
            }
            blocks[root] = .init(first: space.lastKey + 1, count: count)
            space.lastKey = last
        }
        return KeyGrant(blocks, isRecorded: true)
    }

    /// Returns keys that no row has, so that they are given out again, if no later keys have been given out.
    func takeBack(_ grant: KeyGrant) {
        for (root, block) in grant.blocks.sorted(by: { $0.value.first > $1.value.first })
        where keyOwner(of: root).lastKey == block.last {
            keyOwner(of: root).lastKey = block.first - 1
        }
    }

    /// The root that counts the keys of another root: the first one if keys are unique in the store.
    private func keyOwner(of root: Int) -> Root { keySpace == .store ? roots[0] : roots[root] }

    /// The last key given out, for tables with `KeySpace.store`.
    package var lastKey: Int64 { roots[0].lastKey }

    /// Ensures that keys up to this one are not given out again.
    package func noteKey(_ key: Int64, root: Int) { keyOwner(of: root).lastKey = max(keyOwner(of: root).lastKey, key) }

    // MARK: Slabs

    /// Returns the slabs that packing and derivation have made since the last call, for the row caches.
    package func takeMadeSlabs() -> [RowSlab] {
        defer { madeSlabs = [] }
        return madeSlabs
    }

    func noteMade(_ slabs: [RowSlab]) { madeSlabs += slabs }

    /// The number of slabs of all entities and the bytes of their rows, for tests that check their bounds.
    package var slabCount: Int { pools.reduce(0) { $0 + $1.slabCount } }
    package var byteCount: Int { pools.reduce(0) { $0 + $1.byteCount } }
}
