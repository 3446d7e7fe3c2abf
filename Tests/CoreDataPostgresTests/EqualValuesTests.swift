import CoreData
import StoreContract
import TestBasics
import TestServers
import Testing

/// The same requests for values on a server, in a file of SQLite and in memory: dictionaries, distinct ones, groups with aggregates
/// and conditions, calculated columns, orders, limits and offsets.
///
/// `CORE_DATA_SEED` replays a run, `CORE_DATA_EXHAUSTIVE=1` makes it 20,000 requests.
@Suite(
    "Equal values", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(60)))
struct EqualValuesTests {
    @Test("made-up requests for values have the same answers on a server (FET-15, FET-17, FET-19)")
    func madeUpRequestsForValuesHaveSameAnswersOnServer() throws {
        let count = TestSeed.isExhaustive ? 20_000 : 400
        var random = SeededRandom(seed: TestSeed.first)
        print("STO-06: CORE_DATA_SEED=\(TestSeed.first), \(count) requests for values")
        var (answered, rows, differences) = (0, 0, [String]())
        for _ in 0..<count / 200 {
            let seed = random.next()
            let stacks = try [StoreKind.inMemory, .sqlite, .postgreSQL].map { kind in
                let url =
                    kind.type == StoreKind.postgreSQL.type ? try PostgresServer.shared.get().makeURL("values") : nil
                return try ValueModel.stack(kind, people: 40, seed: seed, url: url)
            }
            var maker = ValueRequestMaker(random: SeededRandom(seed: seed))
            for _ in 0..<200 {
                let request = maker.request()
                let outcomes = stacks.map { ValueOutcome($0, request) }
                if case .success(let found) = outcomes[0] { (answered, rows) = (answered + 1, rows + found.count) }
                guard outcomes.contains(where: { $0 != outcomes[0] }) else { continue }
                differences.append("\(ValueRequestMaker.text(request)):\n\(Self.text(outcomes))")
            }
        }
        print("  \(answered) answered with \(rows) rows")
        #expect(answered > count / 2 && rows > count * 3)
        #expect(
            differences.isEmpty,
            "CORE_DATA_SEED=\(TestSeed.first), \(differences.count):\n\(differences.prefix(20).joined(separator: "\n"))"
        )
    }

    @Test("a server groups dates by their days as the other stores do (FET-19)")
    func groupsByDays() throws {
        let server = try PostgresServer.shared.get()
        let url = server.makeURL("days")
        let stack = try Stack(DayModel.make(), url: url, kind: .postgreSQL)
        let times = DayModel.times(seed: TestSeed.first)
        try DayModel.fill(stack.context, times)
        // Other programs may write what no object can have.
        let schema = try #require(URLComponents(string: url.absoluteString)?.queryItems?.last?.value)
        let table = schema + ".zevent"
        try server.execute(
            "INSERT INTO \(table) (z_pk, z_ent, z_opt, zdate) SELECT 100000 + n, z_ent, 1, "
                + "('{Infinity,-Infinity,NaN}'::float8[])[n] FROM \(table), generate_series(1, 3) n WHERE z_pk = 1")
        let days = DayModel.days(of: times + [1e300, -1e300, nil])
        #expect(try DayModel.days(in: stack.context) == days, "CORE_DATA_SEED=\(TestSeed.first)")
    }

    /// How three answers differ, in the first row that does.
    private static func text(_ outcomes: [ValueOutcome]) -> String {
        let rows = outcomes.map { outcome in if case .success(let rows) = outcome { rows } else { ["refused"] } }
        let place = (0..<(rows.map(\.count).max() ?? 0)).first { place in
            Set(rows.map { $0.indices.contains(place) ? $0[place] : "" }).count > 1
        }
        return rows.map { rows in
            "    \(rows.count) rows, \(place.map { rows.indices.contains($0) ? String(rows[$0].prefix(300)) : "none" } ?? "")"
        }.joined(separator: "\n")
    }
}
