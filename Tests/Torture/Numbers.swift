/// The numbers that the trials of a part of a unit stand for.
///
/// All parts together have every number from 1 on; a sample has 1, 5, 21, 85 and so on, ever farther apart.
struct Numbers {
    let part: Int
    /// How many parts there are; 0 for a sample.
    let parts: Int

    /// The number of a trial, which counts from 1.
    subscript(trial: Int) -> Int {
        guard parts == 0 else { return part + 1 + (trial - 1) * parts }
        var number = 1
        for _ in 1..<max(1, trial) { number = 4 * number + 1 }
        return number
    }
}
