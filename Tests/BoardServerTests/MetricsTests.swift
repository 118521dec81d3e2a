import BoardServer
import Testing

@Suite("Metrics")
struct MetricsTests {
    @Test("HT8: families are described once, labels follow, gauges come last")
    func page() {
        var metrics = Metrics()
        metrics.count("b_total{kind=\"two\"}")
        metrics.count("b_total{kind=\"one\"}", by: 2)
        metrics.count("a_total")
        metrics.count("a_total")
        let text = metrics.text(gauges: [(name: "c", value: 3)])
        #expect(
            text == """
                # TYPE a_total counter
                a_total 2
                # TYPE b_total counter
                b_total{kind="one"} 2
                b_total{kind="two"} 1
                # TYPE c gauge
                c 3

                """)
    }
}
