import CoreDataStore

/// Where a row is: entity, slab in the pool of the entity, place in the slab.
struct SlabPosition: BitwiseCopyable {
    let entity: Int32
    let slab: Int32
    let index: Int32
}

/// The records of one store in memory: rows in slabs, found by key, with their relationships in both directions.
///
/// It knows nothing of files, coordinators or contexts, so that every store that keeps its records in memory can use it.
///
/// Invariants:
/// 1. The table of a root entity leads from each key to the one live row with that key in the pool of its entity.
/// 2. `indexes` and `links` hold the relationships of live rows; a reference to a row that is gone stays in an index.
/// 3. A key below or equal to its root's `lastKey` is never given out again.
package final class RecordTables {
    /// The rows of one hierarchy by their keys.
    final class Root {
        var places = OpenTable<SlabPosition>()
        var lastKey: Int64 = 0
    }

    /// Which records have keys of their own.
    package enum KeySpace: Sendable {
        /// Those of one hierarchy.
        case hierarchy
        /// All records of the store.
        case store
    }

    package let model: ModelLayout
    private let keySpace: KeySpace
    /// By the numbers of the entities; they keep the model alive.
    let bindings: [EntityBinding]
    let roots: [Root]
    let pools: [SlabPool]
    let plan: RelationPlan
    let derivations: DerivationPlan
    var indexes: [LinkLists]
    var links: [LinkTable]
    var constraints: [UniqueIndex]
    /// Slabs that were made since this was last read: all their rows are the newest.
    var madeSlabs: [RowSlab] = []

    /// Makes empty tables for the entities of a model, in the order of their numbers.
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

    /// The row with a key of one hierarchy.
    package func row(root: Int, key: Int64) -> RowSnapshot? {
        guard let place = roots[root].places[key], let slab = pools[Int(place.entity)].slab(Int(place.slab)) else {
            return nil
        }
        return RowSnapshot(slab: slab, index: Int(place.index))
    }

    /// The number of rows of an entity, and of its descendants if they are wanted.
    package func count(of layout: EntityLayout, includesSubentities: Bool) -> Int {
        family(of: layout, includesSubentities).reduce(0) { $0 + pools[$1.number].rowCount }
    }

    /// The rows of an entity by their keys, and those of its descendants if they are wanted.
    package func runs(of layout: EntityLayout, includesSubentities: Bool) -> [RowRun] {
        RowOrder.byKey(family(of: layout, includesSubentities).flatMap { pools[$0.number].runs })
    }

    func family(of layout: EntityLayout, _ includesSubentities: Bool) -> ArraySlice<EntityLayout> {
        includesSubentities ? model.family(of: layout) : model.entities[layout.number...layout.number]
    }

    // MARK: Relationships

    /// The keys of the members of a to-many relationship, in their order or sorted.
    package func members(of relationship: NSRelationshipDescription, owner: Int64) -> [Int64] {
        switch plan.source(of: relationship) {
        case .index(let number): indexes[number].members(of: owner)
        case .links(let number, let backwards): links[number].members(of: owner, backwards: backwards)
        case nil: []
        }
    }

    /// The members of a to-many relationship that have rows.
    package func presentMembers(of relationship: NSRelationshipDescription, owner: Int64) -> [Int64] {
        members(of: relationship, owner: owner).filter { hasTarget(of: relationship, $0) }
    }

    /// Whether there is a row with a key among those that a relationship can lead to.
    package func hasTarget(of relationship: NSRelationshipDescription, _ key: Int64) -> Bool {
        guard let root = relationship.destinationEntity.flatMap(model.layout(of:))?.root else { return false }
        return roots[root].places[key] != nil
    }

    // MARK: Keys

    /// Gives out the next keys of each root entity.
    ///
    /// - Throws: `NSPersistentStoreSaveError` at the end of the numbers.
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

    /// Takes back keys that have not been seen, if they are the last that were given out.
    func takeBack(_ grant: KeyGrant) {
        for (root, block) in grant.blocks.sorted(by: { $0.value.first > $1.value.first })
        where keyOwner(of: root).lastKey == block.last {
            keyOwner(of: root).lastKey = block.first - 1
        }
    }

    /// The root whose last key counts for another.
    private func keyOwner(of root: Int) -> Root { keySpace == .store ? roots[0] : roots[root] }

    /// The greatest key that was given out, of a store in which all records share their keys.
    package var lastKey: Int64 { roots[0].lastKey }

    /// Sees to it that keys up to this one are not given out any more.
    package func noteKey(_ key: Int64, root: Int) { keyOwner(of: root).lastKey = max(keyOwner(of: root).lastKey, key) }

    // MARK: Slabs

    /// The slabs made by packing and derivation since the last call, to be passed to the row caches.
    package func takeMadeSlabs() -> [RowSlab] {
        defer { madeSlabs = [] }
        return madeSlabs
    }

    func noteMade(_ slabs: [RowSlab]) { madeSlabs += slabs }

    /// The slabs of all entities, and the bytes of their rows, for tests of their bounds.
    package var slabCount: Int { pools.reduce(0) { $0 + $1.slabCount } }
    package var byteCount: Int { pools.reduce(0) { $0 + $1.byteCount } }
}
