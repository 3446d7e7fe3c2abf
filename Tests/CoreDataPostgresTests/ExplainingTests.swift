import CoreData
import CoreDataSQL
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres

/// What a store on a server says of how it carries out fetches is what it does.
@MainActor
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct ExplainingTests {
    private let stack: Stack
    private let store: BackedStore<PostgresStore>

    init() throws {
        stack = try Stack(QueryModel.make(), url: PostgresServer.shared.get().makeURL("explained"), kind: .postgreSQL)
        _ = try QueryModel.fill(stack.context, seed: 5, people: 60)
        stack.context.reset()
        store = try #require(stack.store as? BackedStore<PostgresStore>)
    }

    private func explain(
        _ format: String, sort: [NSSortDescriptor] = [], limit: Int = 0, isCarriedOut: Bool = true
    ) throws -> ServerExplanation {
        try store.withBackend { backend in
            let layout = try #require(backend.shape.layouts.layout(named: "Person"))
            let query = FetchQuery(
                binding: store.binding(for: layout), predicate: try NSPredicate(parsing: format), sortDescriptors: sort,
                limit: limit)
            return try backend.explain(query, isCarriedOut: isCarriedOut)
        }
    }

    @Test(
        "each comparison is listed with where it is decided, and why not on the server (STO-06)",
        arguments: [
            ("small > 3", DecisionPlace.server, nil), ("name == 'x' AND flag == TRUE", .server, nil),
            ("name CONTAINS[c] 'é'", .serverUnlessInDoubt, "texts with characters"),
            ("ratio * ratio > 2", .serverUnlessInDoubt, "numbers near the ends of their range"),
            ("name MATCHES '(?=a)b'", .memory, "a regular expression"),
            ("lowercase(name) == 'x'", .memory, "the function 'lowercase'"),
            ("price * 2 > 3", .memory, "arithmetic of decimals"),
            ("sqrt(ratio) > 3", .memory, "the function 'square root'"),
            ("SUBQUERY(notes, $n, $n.text MATCHES '(?=a)b').@count > 0", .serverUnlessInDoubt, "a regular expression"),
        ] as [(String, DecisionPlace, String?)])
    func places(_ format: String, _ place: DecisionPlace, _ reason: String?) throws {
        let explanation = try explain(format, isCarriedOut: false)
        #expect(explanation.outline.place == place)
        let part = try #require(explanation.outline.parts.last)
        #expect(part.place == place)
        guard let reason else {
            #expect(part.reason == nil)
            return
        }
        #expect(part.reason?.contains(reason) == true, "\(part.reason ?? "none")")
        #expect(explanation.outcome == nil && explanation.examined == nil)
    }

    @Test("the answer and the rows that memory is asked of are counted for every predicate of the pool (STO-06)")
    func answerAndRowsThatMemoryIsAskedOfAreCounted() throws {
        for (format, arguments) in PredicatePool.formats.prefix(400) {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = try NSPredicate(parsing: format, arguments: arguments)
            guard let found = try? stack.context.count(for: request) else { continue }
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Person"])
            let asked = FetchPredicate(try #require(request.predicate), of: entity).predicate
            let explanation = try store.withBackend { backend in
                let layout = try #require(backend.shape.layouts.layout(named: "Person"))
                return try backend.explain(
                    FetchQuery(binding: store.binding(for: layout), predicate: asked), isCarriedOut: true)
            }
            #expect(explanation.outcome?.answered == found, "\(format)")
            let isServers = explanation.outline.place == .server
            #expect(!isServers || (explanation.outcome?.evaluated == 0 && explanation.sent == found), "\(format)")
            let isSplit = explanation.outline.parts.allSatisfy { $0.place == .server || $0.reason != nil }
            #expect(isSplit, "\(format)")
            #expect(explanation.questions.allSatisfy { $0.plan.root != nil }, "\(format)")
        }
    }

    @Test("who sorts and why, the indexes and the number of rows looked at are listed (STO-06)")
    func whoSortsAndWhy() throws {
        let localized = NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
        let sorted = try explain("small > 0", sort: [localized], limit: 3)
        #expect(sorted.outline.sortReason == "the order localized standard" && !sorted.outline.pushed.isWindowed)
        let served = try explain("small > 0", sort: [NSSortDescriptor(key: "name", ascending: true)], limit: 3)
        #expect(served.outline.sortReason == nil && served.outline.pushed.isWindowed && served.sent == 3)
        #expect(served.examined ?? 0 >= 3)
        let key = try explain("self IN %@".replacing("%@", with: "{}"))
        #expect(key.outcome?.answered == 0)
    }

    @Test(
        "conditions of a plan are shown without the values that the server writes out",
        arguments: [
            ("(zname = 'it''s'::text)", "(zname = ?::text)"),
            (
                "((zage > 41) AND (z_pk <= '-5'::integer))",
                "((zage > ?) AND (z_pk <= ?::integer))"
            ),
            (
                "(\"zA1\" = ANY ('{1,2}'::bigint[]))",
                "(\"zA1\" = ANY (?::bigint[]))"
            ), ("(t0.z2 = 1.5)", "(t0.z2 = ?.?)"), ("'open", "?"), ("", ""),
        ])
    func conditions(_ text: String, _ shown: String) { #expect(ServerPlan.Step.withoutValues(text) == shown) }
}
