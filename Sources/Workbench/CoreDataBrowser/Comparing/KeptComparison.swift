import CoreData
import Synchronization

/// The result of a comparison, retained so that a user can look through the differences and copy some of them.
final class KeptComparison: Sendable {
    /// The comparison's name in addresses, such as `c1`.
    let id: String
    let question: ComparisonQuestion
    /// The states of the two stores that were compared.
    let versions: [StoreVersion]
    let summary: ComparisonSummary
    private let differences: Differences

    /// The list of differences, for one thread at a time.
    final class Differences: Sendable {
        fileprivate let list: Mutex<DifferenceList>

        init() throws { list = Mutex(try DifferenceList()) }

        func add(_ difference: StoreDifference) throws { try list.withLock { try $0.add(difference) } }
    }

    init(
        id: String, _ question: ComparisonQuestion, versions: [StoreVersion], summary: ComparisonSummary,
        differences: Differences
    ) {
        (self.id, self.question, self.versions, self.summary) = (id, question, versions, summary)
        self.differences = differences
    }

    /// A window of the differences that match a filter, and the number of all that match.
    func window(
        _ filter: DifferenceList.Filter, offset: Int, limit: Int
    ) throws -> (rows: [JSONValue], total: Int) {
        try differences.list.withLock { list in
            let rows = try list.window(filter, offset: offset, limit: limit).map { number, json -> JSONValue in
                guard case .members(let members) = json else { return json }
                return .members([.init(key: "number", value: .count(number))] + members)
            }
            return (rows, try list.count(filter))
        }
    }

    func count(_ choice: DifferenceList.Choice) throws -> Int { try differences.list.withLock { try $0.count(choice) } }

    func standing(
        of difference: StoreDifference, _ choice: DifferenceList.Choice
    ) throws -> DifferenceList.Standing {
        try differences.list.withLock { try $0.standing(of: difference, choice) }
    }
}
