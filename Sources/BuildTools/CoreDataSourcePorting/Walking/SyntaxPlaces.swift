import SwiftSyntax

extension SyntaxProtocol {
    /// The bytes of a node, without what is around it.
    var bytes: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }

    /// Where the comments begin that belong to a node: those that no empty line parts from it.
    var commentedStart: Int {
        var place = positionAfterSkippingLeadingTrivia.utf8Offset
        var start = place
        for piece in leadingTrivia.reversed() {
            place -= piece.sourceLength.utf8Length
            switch piece {
            case .newlines(let count), .carriageReturns(let count), .carriageReturnLineFeeds(let count):
                if count > 1 { return start }
            case .spaces, .tabs: break
            default: start = place
            }
        }
        return start
    }
}
