/// Undo as one would write it first: trees of steps, copied and searched; the reference for the real one.
struct NaiveUndo {
    indirect enum Node {
        case step(cell: Int, old: Int)
        case group([Node])

        var steps: [(cell: Int, old: Int)] {
            switch self {
            case .step(let cell, let old): [(cell, old)]
            case .group(let nodes): nodes.flatMap(\.steps)
            }
        }

        func without(_ target: Int) -> Node? {
            switch self {
            case .step(let cell, _): cell == target ? nil : self
            case .group(let nodes): .group(nodes.compactMap { $0.without(target) })
            }
        }
    }

    var values: [Int]
    var undoable: [Node] = []
    var redoable: [Node] = []
    var open: [[Node]] = []
    var isEvent = false
    var groupsByEvent = true
    var disablings = 0
    var levels = 0

    var hasStepsOpen: Bool { open.contains { $0.contains { !$0.steps.isEmpty } } }
    var undoCount: Int { undoable.count + (hasStepsOpen ? 1 : 0) }
    var mayUndoNested: Bool {
        guard let last = open.last else { return true }
        if case .group? = last.last { return true }
        return false
    }

    mutating func set(_ cell: Int, _ new: Int) {
        if disablings == 0 {
            openEvent()
            redoable = []
            open[open.count - 1].append(.step(cell: cell, old: values[cell]))
        }
        values[cell] = new
    }

    mutating func openEvent() {
        guard open.isEmpty else { return }
        open = [[]]
        isEvent = true
    }

    mutating func begin() {
        if open.isEmpty, groupsByEvent { openEvent() }
        if open.isEmpty { isEvent = false }
        open.append([])
    }

    mutating func end() {
        let closed = Node.group(open.removeLast())
        if open.isEmpty { push(closed) } else { open[open.count - 1].append(closed) }
    }

    mutating func endEvent() {
        if isEvent, open.count == 1 { end() }
    }

    private mutating func push(_ node: Node) {
        if !node.steps.isEmpty { undoable.append(node) }
        trim()
    }

    mutating func trim() {
        guard levels > 0 else { return }
        undoable = undoable.suffix(levels)
        redoable = redoable.suffix(levels)
    }

    mutating func undo() {
        if open.count == 1 { end() }
        undoNested()
    }

    mutating func undoNested() {
        let node: Node? = open.isEmpty ? undoable.popLast() : open[open.count - 1].removeLast()
        guard let node else { return }
        let inverse = perform(node)
        if !inverse.steps.isEmpty { redoable.append(inverse) }
        trim()
    }

    mutating func redo() {
        guard let node = redoable.popLast() else { return }
        let inverse = perform(node)
        if open.isEmpty { push(inverse) } else if !inverse.steps.isEmpty { open[open.count - 1].append(inverse) }
    }

    private mutating func perform(_ node: Node) -> Node {
        var inverse: [Node] = []
        for step in node.steps.reversed() {
            if disablings == 0 { inverse.append(.step(cell: step.cell, old: values[step.cell])) }
            values[step.cell] = step.old
        }
        return .group(inverse)
    }

    mutating func remove(_ target: Int) {
        undoable = undoable.compactMap { $0.without(target) }.filter { !$0.steps.isEmpty }
        redoable = redoable.compactMap { $0.without(target) }.filter { !$0.steps.isEmpty }
        open = open.map { $0.compactMap { $0.without(target) } }
    }

    mutating func removeAll() {
        (undoable, redoable, open, disablings) = ([], [], [], 0)
    }
}
