import CoreDataGraph

/// How much there is to do, and has been done, in objects and passes.
struct MigrationProgress {
    let total: Int
    var done = 0

    init(_ steps: [EntityStep]) {
        total = steps.reduce(0) { $0 + $1.sourceCount * ($1.setsRelationships ? 3 : 2) }
    }

    /// Below 1 until the store has been published.
    var fraction: Float { total == 0 ? 0 : min(Float(done) / Float(total), 0.99) }
}
