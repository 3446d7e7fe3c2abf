/// The naive twin of a context with an undo manager: every step back is a copy of the whole graph.
struct UndoReference {
    struct Record: Equatable {
        var name: Int
        var weight: Int?
        var parent: Int?
        var partner: Int?
        var tags: Set<Int> = []
        var steps: [Int] = []
        var path: [Int] = []
    }
    typealias Graph = [Int: Record]

    /// A graph, and which records count as touched in which generation of the store.
    struct Moment {
        var graph: Graph
        var touched: Set<Int>
        var generation: Int
    }

    var graph: Graph = [:]
    var saved: Graph = [:]
    var touched: Set<Int> = []
    var undoable: [Moment] = []
    var redoable: [Moment] = []
    var eventStart: Moment?
    var generation = 0

    var canUndo: Bool { !undoable.isEmpty || eventStart != nil }
    var canRedo: Bool { !redoable.isEmpty }
    var living: [Int] { graph.keys.sorted() }
    private var now: Moment { Moment(graph: graph, touched: touched, generation: generation) }

    // MARK: Changes

    /// Makes a change; without `always` it is one only if the graph differs after it.
    mutating func change(always: Bool = false, _ records: Int..., body: (inout Graph) -> Void) {
        let before = now
        body(&graph)
        let differing = Set(graph.keys).union(before.graph.keys).filter { graph[$0] != before.graph[$0] }
        guard always || !differing.isEmpty else { return }
        if eventStart == nil {
            eventStart = before
            redoable = []
        }
        touched.formUnion(differing.flatMap { around($0, before.graph) })
        touched.formUnion(records)
    }

    /// A record and those that it is or was related to: the other sides of what changed.
    private func around(_ number: Int, _ former: Graph) -> [Int] {
        [number]
            + [graph[number], former[number]].compactMap { $0 }.flatMap { record in
                [record.parent, record.partner].compactMap { $0 } + record.tags + record.steps + record.path
            }
    }

    mutating func delete(_ number: Int) {
        change(always: true, number) { graph in
            var open = [number]
            while let next = open.popLast() {
                guard graph.removeValue(forKey: next) != nil else { continue }
                open += graph.filter { $0.value.parent == next }.keys
            }
            let known = Set(graph.keys)
            for number in known { graph[number]?.forgetOthers(than: known) }
        }
    }

    // MARK: Steps

    mutating func endEvent() {
        guard let start = eventStart else { return }
        undoable.append(start)
        eventStart = nil
    }

    mutating func undo() {
        endEvent()
        guard let moment = undoable.popLast() else { return }
        redoable.append(now)
        take(moment)
    }

    mutating func redo() {
        guard let moment = redoable.popLast() else { return }
        undoable.append(now)
        take(moment)
    }

    private mutating func take(_ moment: Moment) {
        let former = graph
        graph = moment.graph
        touched =
            moment.generation == generation
            ? moment.touched
            : touched.union(graph.keys.filter { graph[$0] != former[$0] }.flatMap { around($0, former) })
                .union(former.keys.filter { graph[$0] == nil }.flatMap { around($0, former) })
    }

    mutating func save() {
        saved = graph
        touched = []
        generation += 1
    }

    mutating func rollback() {
        graph = saved
        (touched, undoable, redoable, eventStart) = ([], [], [], nil)
        generation += 1
    }
}

extension UndoReference.Record {
    mutating func forgetOthers(than known: Set<Int>) {
        if let other = parent, !known.contains(other) { parent = nil }
        if let other = partner, !known.contains(other) { partner = nil }
        tags.formIntersection(known)
        steps.removeAll { !known.contains($0) }
        path.removeAll { !known.contains($0) }
    }
}

extension UndoReference.Graph {
    mutating func setPartner(_ number: Int, _ other: Int?) {
        for (key, record) in self where record.partner != nil && record.partner == other { self[key]?.partner = nil }
        self[number]?.partner = other
    }

    mutating func setSteps(_ number: Int, _ list: [Int]) {
        for key in Array(keys) where key != number { self[key]?.steps.removeAll { list.contains($0) } }
        self[number]?.steps = list
    }

    mutating func setOwner(_ number: Int, _ owner: Int?) {
        if let owner, self[owner]?.steps.contains(number) == true { return }
        for key in Array(keys) { self[key]?.steps.removeAll { $0 == number } }
        if let owner { self[owner]?.steps.append(number) }
    }
}
