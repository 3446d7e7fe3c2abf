import CoreDataSourcePorting
import CoreDataTestSupport
import Testing

@Suite struct RuleTests {}
