import CoreData
import CoreDataSQL
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// The same objects on a server, in a file of SQLite and in memory: every predicate selects the same of them.
///
/// `CORE_DATA_SEED` replays a run, `CORE_DATA_EXHAUSTIVE=1` makes it 20,000 predicates.
@MainActor
@Suite("Equal answers", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct EqualAnswersTests {
    /// A store of each kind, with the numbers of its objects.
    struct World {
        let stacks: [(kind: StoreKind, stack: Stack, numbers: [NSManagedObjectID: Int])]

        @MainActor
        init(seed: UInt64, people: Int) throws {
            let model = QueryModel.make()
            stacks = try [StoreKind.inMemory, .sqlite, .postgreSQL].map { kind in
                let stack =
                    kind.type == CoreDataPostgreSQLStoreType
                    ? try Stack(model, url: PostgresServer.shared.get().makeURL("answers"), kind: kind)
                    : try Stack(model, kind: kind)
                let objects = try QueryModel.fill(stack.context, seed: seed, people: people)
                var numbers: [NSManagedObjectID: Int] = [:]
                for (number, object) in objects.enumerated() { numbers[object.objectID] = number }
                stack.context.reset()
                return (kind, stack, numbers)
            }
        }

        /// The numbers of the objects that each store finds; the text of an error for one that refuses.
        @MainActor
        func answers(_ request: NSFetchRequest<NSManagedObjectID>) -> [Result<[Int], AnswerError>] {
            stacks.map { kind, stack, numbers in
                do {
                    let found = try stack.context.fetch(request).map { numbers[$0] ?? -1 }
                    return .success(request.sortDescriptors?.isEmpty == false ? found : found.sorted())
                } catch {
                    return .failure(AnswerError(text: "\(kind.type): \((error as NSError).localizedDescription)"))
                }
            }
        }

        /// The server's store.
        private var server: BackedStore<PostgresStore>? {
            stacks.last?.stack.coordinator.persistentStores.first as? BackedStore<PostgresStore>
        }

        /// How many rows the server's store has asked predicates of in memory.
        @MainActor
        var evaluatedRows: Int {
            guard let server else { return 0 }
            return (try? server.withBackend { $0.shape.evaluations.rows }) ?? 0
        }

        /// Whether the server decides all of a predicate, whatever the rows.
        @MainActor
        func isDecidedByServer(_ predicate: NSPredicate, _ entity: String = "Person") -> Bool {
            guard let store = server else { return false }
            return
                (try? store.withBackend { backend in
                    let layout = backend.shape.layouts.layout(named: entity)
                    guard let layout else { return false }
                    let query = FetchQuery(binding: store.binding(for: layout), predicate: predicate)
                    return try backend.shape.compiled {
                        try $0.pushed(query, columns: ["Z_PK"], backend.shape.schema.types).isExact
                    }
                }) ?? false
        }
    }

    /// How many queries ran wholly on the server: no row was evaluated in memory. Among them those of which that is
    /// certain without looking at the rows.
    struct Shares {
        var asked = 0
        var whole = 0
        var certain = 0

        var text: String {
            "\(asked) answered, \(whole) of them wholly by the server (\(percent(whole)) %), "
                + "\(certain) of these whatever the rows (\(percent(certain)) %)"
        }

        private func percent(_ part: Int) -> String {
            (100 * Double(part) / Double(max(1, asked))).formatted(.number.precision(.fractionLength(1)))
        }

        @MainActor
        mutating func add(_ predicate: NSPredicate, _ world: World, evaluated: Int) {
            asked += 1
            if evaluated == 0 { whole += 1 }
            if world.isDecidedByServer(predicate) { certain += 1 }
        }
    }

    struct AnswerError: Error, Equatable { let text: String }

    static func request(_ predicate: NSPredicate, _ entity: String = "Person") -> NSFetchRequest<NSManagedObjectID> {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.predicate = predicate
        request.resultType = .managedObjectIDResultType
        return request
    }

    /// How the answers differ; nil where they do not.
    ///
    /// What SQLite refuses may be refused; what it answers must be answered, as memory does where it answers too.
    static func difference(_ answers: [Result<[Int], AnswerError>]) -> String? {
        let (memory, sqlite, server) = (answers[0], answers[1], answers[2])
        guard case .success(let found) = server else {
            guard case .success = sqlite, case .failure(let error) = server else { return nil }
            return "refused: \(error.text)"
        }
        guard case .success(let expected) = memory else { return nil }
        guard found != expected else { return nil }
        let (missing, extra) = (Set(expected).subtracting(found), Set(found).subtracting(expected))
        return
            "missing \(missing.sorted().prefix(5)), extra \(extra.sorted().prefix(5)), \(found.count) for \(expected.count)"
    }

    @Test("every predicate of the pool selects the same objects on a server (PRD-08, PRD-10)")
    func everyPredicateOfPoolSelectsSameObjectsOnServer() throws {
        let world = try World(seed: 20_240_501, people: 150)
        var (shares, differences) = (Shares(), [String]())
        for (format, arguments) in PredicatePool.formats {
            let predicate = try NSPredicate(parsing: format, arguments: arguments)
            let before = world.evaluatedRows
            let answers = world.answers(Self.request(predicate))
            if let difference = Self.difference(answers) {
                differences.append("\(predicate.formatString.prefix(200)): \(difference)")
            }
            guard case .success = answers[2] else { continue }
            shares.add(predicate, world, evaluated: world.evaluatedRows - before)
        }
        print("  Predicates of the pool: \(shares.text)")
        #expect(shares.whole * 10 >= shares.asked * 8)
        #expect(differences.isEmpty, "\(differences.count):\n\(differences.prefix(30).joined(separator: "\n"))")
    }

    @Test("generated predicates select the same objects on a server (PRD-08, PRD-13, PRD-19)", .timeLimit(.minutes(60)))
    func generatedPredicatesSelectSameObjectsOnServer() throws {
        let count = TestSeed.isExhaustive ? 20_000 : 400
        print("STO-06: CORE_DATA_SEED=\(TestSeed.first), \(count) generated predicates")
        var generator = PredicateGenerator(seed: TestSeed.first)
        var (shares, differences) = (Shares(), [String]())
        for _ in 0..<count / 200 {
            let world = try World(seed: generator.random.next(), people: 40 + generator.random.next(below: 40))
            for _ in 0..<200 {
                let predicate = try generator.predicate()
                let before = world.evaluatedRows
                let answers = world.answers(Self.request(predicate))
                if let difference = Self.difference(answers) {
                    differences.append("\(predicate.formatString.prefix(300)): \(difference)")
                }
                guard case .success = answers[2] else { continue }
                shares.add(predicate, world, evaluated: world.evaluatedRows - before)
            }
        }
        print("  \(shares.text)")
        #expect(shares.whole * 10 >= shares.asked * 8)
        #expect(
            differences.isEmpty,
            "CORE_DATA_SEED=\(TestSeed.first), \(differences.count):\n\(differences.prefix(20).joined(separator: "\n"))"
        )
    }
}
