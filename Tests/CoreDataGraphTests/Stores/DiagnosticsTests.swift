import CoreDataGraph
import Testing

@Suite struct DiagnosticsTests {
    @Test func lineThatNobodyCanReadStopsNothing() async {
        await #expect(processExitsWith: .exitCode(7)) {
            close(STDERR_FILENO)
            Diagnostics.report("to nobody")
            exit(7)
        }
    }
}
