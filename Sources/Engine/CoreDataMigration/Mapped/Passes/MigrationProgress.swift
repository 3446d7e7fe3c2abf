import CoreDataGraph

/// The total work of a migration and the work done: the number of objects times the number of passes over them.
struct MigrationProgress {
    let total: Int
    var done = 0

    init(_ steps: [EntityStep]) {
        total = steps.reduce(0) { $0 + $1.sourceCount * ($1.setsRelationships ? 3 : 2) }
    }

    /// The progress as a fraction; less than 1 until the destination store is published.
    var fraction: Float { total == 0 ? 0 : min(Float(done) / Float(total), 0.99) }
}
