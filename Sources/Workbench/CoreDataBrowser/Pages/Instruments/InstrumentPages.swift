import CoreData

/// `GET /instruments`: the recordings that are shown, and the processes that can be recorded.
struct InstrumentListPage: ViewPage {
    let route = Route("GET /instruments")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try call.requireInstruments()
        // A missing folder of sockets means that no process can be recorded; trace files are shown all the same.
        let found = Result { call.mayRecord ? try InstrumentedProcess.all() : [] }
        let processes = (try? found.get()) ?? []
        var problem: JSONValue = .null
        if case .failure(let error as InspectionError) = found {
            problem = .object([("reason", .string(error.cause)), ("hint", .text(error.hint))])
        }
        return .json(
            .object([
                ("problem", problem),
                ("traces", .array(call.browser.traces.shown.map(\.summary))),
                (
                    "processes",
                    .array(
                        processes.map {
                            .object([("pid", .integer(Int64($0.number))), ("name", .string($0.name))])
                        })
                ),
            ]))
    }
}

/// `POST /instruments`: begins to record the process `pid`.
struct InstrumentRecordPage: Page {
    let route = Route("POST /instruments")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try call.requireInstruments()
        guard call.mayRecord else {
            throw BrowserFailure(
                403, code: "notAllowed", reason: "only who runs the browser may record other programs",
                hint: "ask who runs the browser for a trace file")
        }
        let number = try JSONParts(await call.json()).number("pid")
        guard let process = number.flatMap({ Int32(exactly: $0) }), process > 0
        else { throw BrowserFailure.badRequest("'pid' is not a number of a process") }
        return .json(.object([("trace", try call.browser.traces.record(process).summary)]))
    }
}

/// `POST /instruments/{trace}/stop`: ends the recording of a process.
struct InstrumentStopPage: Page {
    let route = Route("POST /instruments/{trace}/stop")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let shown = try call.shownTrace
        return try await BrowsedStore.onOwnThread {
            try shown.recording?.stop()
            return .json(.object([("trace", shown.summary)]))
        }
    }
}

/// `GET /instruments/{trace}`: totals, findings and call tree of the events in a period of time that match a filter.
struct InstrumentPage: ViewPage {
    let route = Route("GET /instruments/{trace}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (shown, filter) = (try call.shownTrace, try call.traceFilter())
        return try await BrowsedStore.onOwnThread {
            let contents = try shown.contents()
            let report = TraceReport(contents.trace, filter: filter, symbols: contents.symbols)
            guard case .members(let members) = report.json else { return .json(report.json) }
            return .json(.members([.init(key: "shown", value: shown.summary)] + members))
        }
    }
}

/// `GET /instruments/{trace}/timeline`: the events in each of `count` equal parts of a period of time.
struct InstrumentTimelinePage: Page {
    let route = Route("GET /instruments/{trace}/timeline")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (shown, filter) = (try call.shownTrace, try call.traceFilter())
        let count = try call.number("count", default: 400, in: 1...TraceTimeline.mostBuckets)
        return try await BrowsedStore.onOwnThread {
            let contents = try shown.contents()
            let timeline = TraceTimeline(
                contents.trace, contents.selection(filter), from: filter.from, to: filter.to, count: count)
            return .json(TraceJSON(contents.trace).timeline(timeline))
        }
    }
}

/// `GET /instruments/{trace}/events`: a window of the events that match a filter, `limit` of them from `offset` on.
struct InstrumentEventsPage: Page {
    let route = Route("GET /instruments/{trace}/events")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (shown, filter) = (try call.shownTrace, try call.traceFilter())
        let offset = try call.number("offset", default: 0, in: 0...Int.max)
        let limit = try call.number("limit", default: 100, in: 1...1_000)
        return try await BrowsedStore.onOwnThread {
            let contents = try shown.contents()
            let (selection, symbols) = (contents.selection(filter), contents.symbols)
            let json = TraceJSON(contents.trace)
            let window = selection.dropFirst(offset).prefix(limit)
            return .json(
                .object([
                    ("total", .count(selection.count)), ("offset", .count(offset)),
                    ("events", .array(window.map { json.event(Int($0), symbols) })),
                ]))
        }
    }
}

/// `GET /instruments/{trace}/compare/{other}`: the differences from another recording, under the same filter.
struct InstrumentComparePage: Page {
    let route = Route("GET /instruments/{trace}/compare/{other}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (shown, filter) = (try call.shownTrace, try call.traceFilter())
        let other = try call.browser.traces.trace(call.parameters["other"] ?? "")
        return try await BrowsedStore.onOwnThread {
            let (former, latter) = (try other.contents(), try shown.contents())
            let comparison = TraceComparison(
                (former.trace, former.selection(filter)), (latter.trace, latter.selection(filter)))
            return .json(TraceJSON.comparison(comparison))
        }
    }
}

/// `GET /instruments/{trace}/export`: the events for Chrome's tracing and Perfetto, or with `format=otlp` for
/// OpenTelemetry, as a file.
struct InstrumentExportPage: Page {
    let route = Route("GET /instruments/{trace}/export")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (shown, filter) = (try call.shownTrace, try call.traceFilter())
        let isForCollectors = call.query["format"] == "otlp"
        return try await BrowsedStore.onOwnThread {
            let contents = try shown.contents()
            let (trace, selection) = (contents.trace, contents.selection(filter))
            var text = ""
            guard !isForCollectors else {
                OTLPExport(trace).write(selection) { text += $0 }
                return .file(text, "application/jsonl", name: "trace.jsonl")
            }
            TraceEventExport(trace).write(selection) { text += $0 }
            return .file(text, "application/json", name: "trace.json")
        }
    }
}

extension PageCall {
    /// The recording that the path names.
    fileprivate var shownTrace: ShownTrace {
        get throws {
            try requireInstruments()
            return try browser.traces.trace(parameters["trace"] ?? "")
        }
    }

    /// Whether the person who runs the browser makes the call, rather than a user of a program that mounts the browser.
    fileprivate var mayRecord: Bool { request.user == nil }

    /// Refuses users from whom something may be hidden, since recordings contain all entity names and SQL statements.
    ///
    /// - Throws: `BrowserFailure` 403.
    fileprivate func requireInstruments() throws {
        guard !access.mayHideSome else {
            throw BrowserFailure(
                403, code: "notAllowed", reason: "instruments show what may be hidden from you",
                hint: "ask who runs the browser")
        }
    }
}
