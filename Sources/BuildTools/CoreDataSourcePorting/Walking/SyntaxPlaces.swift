import SwiftSyntax

extension SyntaxProtocol {
    /// The byte range of a node without its leading and trailing trivia.
    var bytes: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }

    /// The offset at which the comments of a node begin: those without an empty line between them and the node.
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
