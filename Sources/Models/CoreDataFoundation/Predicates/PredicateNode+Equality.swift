extension PredicateNode: Equatable {
    package static func == (left: PredicateNode, right: PredicateNode) -> Bool {
        PredicatePrinter.printed(left) == PredicatePrinter.printed(right)
    }
}
