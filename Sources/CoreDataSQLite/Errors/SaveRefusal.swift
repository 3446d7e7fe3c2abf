import CoreDataSQL

/// The plan does not fit what the store has: the transaction is rolled back.
struct SaveRefusal: Error {
    let outcome: SaveOutcome
}
