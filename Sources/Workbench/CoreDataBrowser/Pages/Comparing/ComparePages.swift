import CoreData

/// `GET /compare`: the differences of two stores.
struct ComparePage: ViewPage {
    let route = Route("GET /compare")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let question = try ComparisonQuestion(call.query)
        let filter = try DifferenceList.Filter { call.query[$0].flatMap { $0.isEmpty ? nil : $0 } }
        let offset = try call.number("offset", default: 0, in: 0...Int(Int32.max))
        let limit = try call.number("limit", default: 100, in: 0...1_000)
        let stores = [try call.browser.store(question.left), try call.browser.store(question.right)]
        let files = try stores.map { try $0.comparedFile(for: call.access) }
        let versions = stores.map(\.opened.version)
        let comparisons = call.browser.comparisons
        var kept = call.query["comparison"].flatMap { comparisons.kept($0) }
        if kept?.question != question { kept = comparisons.kept(question, versions) }
        let found: KeptComparison
        if let kept {
            found = kept
        } else {
            found = try await comparisons.compare(question, versions: versions, left: files[0], right: files[1])
        }
        let (rows, total) = try found.window(filter, offset: offset, limit: limit)
        return .json(
            .object([
                ("comparison", .string(found.id)), ("left", stores[0].brief), ("right", stores[1].brief),
                ("outdated", .bool(found.versions != versions)), ("summary", found.summary.json),
                ("differences", .array(rows)), ("offset", .count(offset)), ("total", .count(total)),
            ]))
    }
}

/// `POST /compare`: compares two stores as a job; `GET` with the same question then looks through what is kept of it.
struct CompareJobPage: Page {
    let route = Route("POST /compare")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let parts = JSONParts(try await call.json())
        var texts: [String: String] = [:]
        for name in ["left", "right", "by", "entities"] { texts[name] = try parts.optionalText(name) }
        let question = try ComparisonQuestion(texts)
        let stores = [try call.browser.store(question.left), try call.browser.store(question.right)]
        let files = try stores.map { try $0.comparedFile(for: call.access) }
        let (versions, comparisons) = (stores.map(\.opened.version), call.browser.comparisons)
        let plan = JobPlan(.comparison, "\(stores[0].name), \(stores[1].name)") { handle, _ in
            let kept = try comparisons.comparing(
                question, versions: versions, left: files[0], right: files[1], progress: { handle.count($0) })
            return .object([("comparison", .string(kept.id))])
        }
        return try call.started(plan, in: stores[0])
    }
}

/// `GET /compare/progress`: the number of objects that the running comparison of two stores has read.
struct CompareProgressPage: Page {
    let route = Route("GET /compare/progress")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let question = try ComparisonQuestion(call.query)
        for id in [question.left, question.right] {
            try call.browser.store(id).requireReadingAll(
                for: call.access, "a comparison reports", hint: "ask who runs the browser")
        }
        return .json(.object([("read", .count(call.browser.comparisons.progress(of: question)))]))
    }
}

/// `POST /compare/copy`: copies chosen differences from one of the stores to the other; with `"job": true` as a job of the
/// store that is changed.
struct CompareCopyPage: Page {
    let route = Route("POST /compare/copy")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let browser = call.browser
        let body = try await call.json()
        let copy = try DifferenceCopy(body, in: browser.comparisons)
        let question = copy.kept.question
        let (left, right) = (try browser.store(question.left), try browser.store(question.right))
        let (source, target) = copy.isToLeft ? (right, left) : (left, right)
        let files = [try source.comparedFile(for: call.access), try target.comparedFile(for: call.access)]
        try target.requireWriting()
        try target.requireChangingAll(for: call.access, "a copy changes")
        try browser.sessions.requireNothingStaged(in: target)
        let author = call.request.user?.name ?? OpenStore.author
        if try JSONParts(body).flag("job") {
            let plan = JobPlan(.copy, target.name) { _, _ in
                try browser.sessions.requireNothingStaged(in: target)
                let answer = try browser.changeFile(of: target) {
                    try copy.run(from: files[0], to: files[1], author: author)
                }
                Task { await browser.sessions.refresh(target) }
                return answer
            }
            return try call.started(plan, in: target)
        }
        // A copy that has begun continues even if the client disconnects.
        let answer = try await Task.detached {
            try await BrowsedStore.onOwnThread {
                try browser.changeFile(of: target) { try copy.run(from: files[0], to: files[1], author: author) }
            }
        }.value
        await browser.sessions.refresh(target)
        return .json(answer)
    }
}

/// `GET /compare/models`: the differences of two models, and whether lightweight migration is possible from one to the
/// other.
struct CompareModelsPage: ViewPage {
    let route = Route("GET /compare/models")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let access = call.access
        let models = try ["left", "right"].map { side in
            guard let text = call.query[side], !text.isEmpty else {
                throw BrowserFailure.badRequest(
                    "'\(side)' names no model", hint: "a store's number, or one with a version: left=1&right=1:V2")
            }
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            return try call.browser.store(parts.first ?? "")
                .comparedModel(parts.count > 1 ? parts[1] : nil, for: access)
        }
        return .json(ModelComparisonReport(models[0], models[1]).json)
    }
}

/// `GET /compare/models/choices`: the models that can be compared.
struct ModelChoicesPage: Page {
    let route = Route("GET /compare/models/choices")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        .json(.object([("models", .array(call.browser.shown.flatMap(\.modelChoices)))]))
    }
}

extension BrowsedStore {
    /// `{"id", "name", "writing"}`
    fileprivate var brief: JSONValue {
        .object([("id", .string(id)), ("name", .string(name)), ("writing", .bool(opened.isWriting))])
    }
}
