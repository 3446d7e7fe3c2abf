import CoreData
import CoreDataTracing
import CoreDataWorkbench
import StoreContract
import TestBasics
import Testing

/// Traces as OTLP in JSON.
@Suite struct OTLPExportTests {
    private static let process = #"{"pid":7,"name":"shop","started":1700000000.5,"clock":1000}"#

    private func lines(_ trace: Trace, _ selection: [Int32]? = nil) throws -> [[String: Any]] {
        var text = ""
        OTLPExport(trace).write(selection ?? trace.order) { text += $0 }
        return try text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any])
        }
    }

    private func spans(_ line: [String: Any]) -> [[String: Any]] {
        let resources = line["resourceSpans"] as? [[String: Any]] ?? []
        let scopes = resources.flatMap { $0["scopeSpans"] as? [[String: Any]] ?? [] }
        return scopes.flatMap { $0["spans"] as? [[String: Any]] ?? [] }
    }

    private func attributes(_ object: [String: Any]) -> [String: String] {
        Dictionary(
            (object["attributes"] as? [[String: Any]] ?? []).map { attribute in
                let value = attribute["value"] as? [String: String] ?? [:]
                return (attribute["key"] as? String ?? "", value.map { "\($0.key) \($0.value)" }.joined())
            }, uniquingKeysWith: { "\($0), \($1)" })
    }

    /// A fetch with its statement, and a save.
    private func made() throws -> Trace {
        var fetch = MadeTrace.record(.fetch, 2_000, 9_000, context: 3, detail: 2, rows: 4)
        fetch.entity = 3
        fetch.contextName = 5
        var statement = MadeTrace.record(.statement, 3_000, 1_500, detail: 1, rows: 4)
        statement.store = 4
        var save = MadeTrace.record(.save, 20_000, 5_000, context: 3)
        (save.store, save.inserted, save.unchanged) = (4, 2, 1)
        return try MadeTrace.trace(
            [statement, fetch, save],
            ["SELECT t0.Z_PK FROM ZHERO t0 WHERE t0.ZNAME = ?", "name == $v", "Hero", "Shop.sqlite", "sync"],
            process: Self.process)
    }

    @Test("a statement, its fetch and a save have the names and attributes of the conventions for databases")
    func spansFollowTheConventions() throws {
        let line = try #require(lines(made()).first)
        let resource = (line["resourceSpans"] as? [[String: Any]])?.first?["resource"] as? [String: Any]
        #expect(attributes(resource ?? [:]) == ["service.name": "stringValue shop", "process.pid": "intValue 7"])
        let spans = spans(line)
        try #require(spans.count == 3)
        let (fetch, statement, save) = (spans[0], spans[1], spans[2])
        #expect(fetch["name"] as? String == "fetch Hero" && fetch["kind"] as? Int == 1)
        #expect(
            attributes(fetch) == [
                "db.system.name": "stringValue coredata", "db.operation.name": "stringValue fetch",
                "db.collection.name": "stringValue Hero", "db.query.text": "stringValue name == $v",
                "db.response.returned_rows": "intValue 4", "coredata.context.name": "stringValue sync",
                "thread.id": "intValue 1",
            ])
        #expect(statement["name"] as? String == "SELECT ZHERO" && statement["kind"] as? Int == 3)
        #expect(
            attributes(statement) == [
                "db.system.name": "stringValue sqlite", "db.namespace": "stringValue Shop.sqlite",
                "db.query.summary": "stringValue SELECT ZHERO",
                "db.query.text": "stringValue SELECT t0.Z_PK FROM ZHERO t0 WHERE t0.ZNAME = ?",
                "db.response.returned_rows": "intValue 4", "thread.id": "intValue 1",
            ])
        #expect(save["name"] as? String == "save Shop.sqlite" && save["kind"] as? Int == 1)
        #expect(attributes(save)["coredata.objects.inserted"] == "intValue 2")
        #expect(attributes(save)["db.operation.name"] == "stringValue save")
        #expect(statement["traceId"] as? String == fetch["traceId"] as? String)
        #expect(statement["parentSpanId"] as? String == fetch["spanId"] as? String && fetch["parentSpanId"] == nil)
        #expect(save["traceId"] as? String != fetch["traceId"] as? String)
        #expect(fetch["startTimeUnixNano"] as? String == "1700000000500001000")
        #expect(fetch["endTimeUnixNano"] as? String == "1700000000500010000")
    }

    @Test("the statements of one round trip to a server are one span of its system, with their number")
    func roundTripIsABatch() throws {
        var trip = MadeTrace.record(.statement, 2_000, 10, detail: 1)
        (trip.flags, trip.store) = (InstrumentEvent.Flags.postgreSQL.rawValue, 2)
        let trace = try MadeTrace.trace([trip], ["BEGIN; INSERT INTO hero (a) VALUES ($1); COMMIT", "shop|coredata"])
        let span = try #require(lines(trace).flatMap(spans).first)
        let found = attributes(span)
        #expect(span["name"] as? String == "BEGIN INSERT hero COMMIT" && span["kind"] as? Int == 3)
        #expect(found["db.system.name"] == "stringValue postgresql")
        #expect(found["db.namespace"] == "stringValue shop|coredata")
        #expect(found["db.operation.batch.size"] == "intValue 3" && found["db.response.returned_rows"] == nil)
    }

    @Test(
        "the parent of a span is the nearest event around it that is exported, and the same file has the same identifiers"
    )
    func selectionKeepsParents() throws {
        let trace = try MadeTrace.trace([
            MadeTrace.record(.statement, 120, 10), MadeTrace.record(.fault, 110, 30),
            MadeTrace.record(.fetch, 100, 100),
        ])
        let all = try lines(trace).flatMap(spans)
        let some = try lines(trace, [2, 0]).flatMap(spans)
        #expect(all.count == 3 && some.count == 2)
        #expect(all[2]["parentSpanId"] as? String == all[1]["spanId"] as? String)
        #expect(some[1]["parentSpanId"] as? String == all[0]["spanId"] as? String)
        #expect(some[1]["spanId"] as? String == all[2]["spanId"] as? String)
        #expect(try lines(trace, [0]).flatMap(spans).first?["parentSpanId"] == nil)
        #expect(try lines(trace, []).isEmpty)
    }

    @Test("many spans are requests of some thousand, one in a line, with identifiers that differ")
    func requestsAreBounded() throws {
        let records = (0..<12_001).map { MadeTrace.record(.fetch, UInt64($0) * 10, 5) }
        let lines = try lines(MadeTrace.trace(records))
        #expect(lines.map { spans($0).count } == [5_000, 5_000, 2_001])
        #expect(Set(lines.flatMap(spans).compactMap { $0["spanId"] as? String }).count == 12_001)
    }

    @Test("times of a damaged file are numbers that OTLP has", arguments: ["1e300", "-5", "0", "9999999999"])
    func damagedTimes(started: String) throws {
        let process = "{\"pid\":-1,\"name\":\"\",\"started\":\(started),\"clock\":18446744073709551615}"
        let records = [
            MadeTrace.record(.fetch, .max, .max), MadeTrace.record(.wait, 0, .max), MadeTrace.record(.fetch, 5, 0),
        ]
        let trace = try MadeTrace.trace(records, process: process)
        for line in try lines(trace) {
            try OTLPMessage.tracesData.check(line)
            for span in spans(line) {
                let times = ["startTimeUnixNano", "endTimeUnixNano"].map { UInt64(span[$0] as? String ?? "") }
                #expect(times.allSatisfy { $0 != nil } && (times[0] ?? 1) <= (times[1] ?? 0))
            }
        }
    }

    @Test("each line of a recording is a message of OTLP's JSON mapping, field by field")
    func linesAreValid() throws {
        for line in try lines(made()) { try OTLPMessage.tracesData.check(line) }
        let bad: [[String: Any]] = [
            ["resource_spans": [Any]()],
            ["resourceSpans": [["scopeSpans": [["spans": [["kind": "SPAN_KIND_CLIENT"]]]]]]],
            ["resourceSpans": [["scopeSpans": [["spans": [["traceId": "abc"]]]]]]],
            ["resourceSpans": [["scopeSpans": [["spans": [["startTimeUnixNano": "later"]]]]]]],
        ]
        for line in bad { #expect(throws: OTLPMessage.Flaw.self) { try OTLPMessage.tracesData.check(line) } }
    }
}
